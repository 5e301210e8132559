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
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
NAMED_ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")


def anchors(path):
    """The names that a link `path#name` may use: anchors, and headings as GitHub spells them."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    found = set(NAMED_ANCHOR.findall(text))
    counts = {}
    for heading in HEADING.findall(text):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        seen = counts.get(slug, 0)
        counts[slug] = seen + 1
        found.add(slug if seen == 0 else f"{slug}-{seen}")
    return found


def broken_links(path):
    """Yields (link, reason) for each link of `path` that leads nowhere."""
    text = CODE.sub("", FENCE.sub("", path.read_text(encoding="utf-8")))
    for link in LINK.findall(text) + DEFINITION.findall(text):
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
