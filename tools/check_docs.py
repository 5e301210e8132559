#!/usr/bin/env python3
"""Checks that the links of Markdown files resolve: files, folders, and headings within files.

usage: check_docs.py FILE...
Prints one line per broken link and exits with 1 if there is any. Web addresses are not visited.
"""

import re
import sys
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?", re.MULTILINE)
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
NAMED_ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")


def blanked(pattern, text):
    """A text with blanks in place of what a pattern matches: all else keeps its position."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def headings(text):
    """Yields (match, name) for each heading of a text, with the name that GitHub gives its anchor."""
    counts = {}
    for match in HEADING.finditer(blanked(FENCE, text)):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[1])
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        seen = counts.get(slug, 0)
        counts[slug] = seen + 1
        yield match, slug if seen == 0 else f"{slug}-{seen}"


def links(text):
    """Yields a match for each link of a text, outside of code, whose group 1 is where it leads."""
    text = blanked(CODE, blanked(FENCE, text))
    yield from LINK.finditer(text)
    yield from DEFINITION.finditer(text)


def anchors(path):
    """The names that a link `path#name` may use: anchors and headings."""
    text = path.read_text(encoding="utf-8")
    return set(NAMED_ANCHOR.findall(FENCE.sub("", text))) | {name for _, name in headings(text)}


def broken_links(path):
    """Yields (link, reason) for each link of `path` that leads nowhere."""
    for match in links(path.read_text(encoding="utf-8")):
        link = match[1]
        if re.match(r"[a-z][a-z0-9+.\-]*:", link):
            continue
        name, _, anchor = unquote(link).partition("#")
        target = path.parent / name if name else path
        if not target.exists():
            yield link, "no such file"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield link, "no such heading"


def main():
    count = 0
    for name in sys.argv[1:]:
        for link, reason in broken_links(Path(name)):
            print(f"{name}: {link}: {reason}")
            count += 1
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
