#!/usr/bin/env python3
"""Checks the site in build/site: each link leads to a file and an anchor that exist, nothing is read
from the web, and each page has the headings, lists, tables, code and emphasis that its Markdown file
has where GitHub's renderer (cmark-gfm) shows it.

usage: check.py
Prints a line for each fault, and exits with 1 if there is any.
"""

import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from build import OUT, ROOT, Site

# Elements that are compared. Those inside of code are left out, since only the site colours code.
COMPARED = {"h1", "h2", "h3", "h4", "ul", "ol", "li", "table", "tr", "td", "th", "pre", "code", "em",
            "strong", "img", "blockquote", "br", "hr"}
VOID = {"br", "hr", "img", "input"}
# Elements that make a browser read something.
READS = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(HTMLParser):
    """The anchors, the links and what is read by a page; the elements and the text of its content."""

    def __init__(self, text, content=lambda tag, attributes: True):
        super().__init__()
        self.anchors, self.links, self.read = set(), [], []
        self.elements, self.words = Counter(), []
        self.is_content = content
        self.depth = 0  # of open elements within the content
        self.code = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        for name in ("href", "src"):
            if attributes.get(name) is not None:
                if (tag, name) in READS and attributes.get("rel") != "canonical":
                    self.read.append(attributes[name])
                self.links.append(attributes[name])
        if self.depth or self.is_content(tag, attributes):
            self.depth += tag not in VOID
            if tag in COMPARED and not self.code:
                self.elements[tag] += 1
            self.code += tag == "pre"

    def handle_endtag(self, tag):
        if self.depth and tag not in VOID:
            self.depth -= 1
            self.code -= tag == "pre"

    def handle_data(self, data):
        if self.depth:
            self.words += data.split()


def broken_links(pages):
    """Yields (page, fault) for each link that leads nowhere."""
    for path, page in pages.items():
        for link in page.read:
            if re.match(r"(https?:)?//", link):
                yield path, f"reads {link}"
        for link in page.links:
            if re.match(r"[a-z][a-z0-9+.\-]*:", link):
                continue
            name, _, anchor = unquote(link).partition("#")
            target = Path(f"{path.parent}/{name.partition('?')[0]}").resolve() if name else path
            if not target.is_file():
                yield path, f"{link}: no such file"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield path, f"{link}: no such anchor"


def read_from_the_web():
    """Yields (style sheet, fault) for each style sheet that reads from the web."""
    for path in OUT.rglob("*.css"):
        for link in re.findall(r"url\([\"']?(https?:[^)]*)", path.read_text(encoding="utf-8")):
            yield path, f"reads {link}"


def different_pages():
    """Yields (page, fault) for each page of Markdown that the site shows otherwise than GitHub."""
    def is_article(tag, attributes):
        return tag == "article"

    site = Site()
    for name, page in site.pages.items():
        text = site.titled(name)
        wanted = Page(subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", "-e", "autolink"],
                                     input=text, check=True, capture_output=True, text=True).stdout)
        path = (OUT / page).with_suffix(".html")
        shown = Page(path.read_text(encoding="utf-8"), is_article)
        for element in sorted(COMPARED):
            if wanted.elements[element] != shown.elements[element]:
                yield path, (f"{shown.elements[element]} elements <{element}>, "
                             f"not {wanted.elements[element]} as GitHub shows")
        words = [word for word in shown.words if word != "¶"]
        if "".join(words) != "".join(wanted.words):
            first = next((i for i, (a, b) in enumerate(zip(words, wanted.words)) if a != b), -1)
            yield path, (f"the text differs from GitHub's: ...{' '.join(words[max(first - 5, 0):first + 5])}..., "
                         f"not ...{' '.join(wanted.words[max(first - 5, 0):first + 5])}...")


def leftovers():
    """Yields (page, fault) for each page with a mark that Python-Markdown should have replaced."""
    for path in OUT.rglob("*.html"):
        if re.search("[\x02\x03]", path.read_text(encoding="utf-8")):
            yield path, "holds a mark of Python-Markdown's"


def main():
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8"))
             for path in sorted(OUT.rglob("*.html"))}
    faults = [*broken_links(pages), *read_from_the_web(), *different_pages(), *leftovers()]
    for path, fault in faults:
        print(f"{Path(path).relative_to(ROOT)}: {fault}")
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links: {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
