#!/usr/bin/env python3
"""Builds the site of the documentation into build/site: the program behind `./dev site`.

usage: build.py
The pages are README.md, docs/ and the Markdown files beside README.md, copied to build/site-pages. There
a link to a public header leads to the reference that Doxygen makes, and one to another file of the
repository to a page that shows it. If the viewer is built, it is a part of the site. Exits with 1 if
Doxygen or mkdocs warns, or if a comment of a public header names what does not exist.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

SITE = Path(__file__).resolve().parent
ROOT = SITE.parent
PAGES = ROOT / "build" / "site-pages"
OUT = ROOT / "build" / "site"
VIEWER = ROOT / "viewer" / "dist"

sys.path.insert(0, str(ROOT / "tools"))
import check_docs  # noqa: E402
from reference import make_reference  # noqa: E402

LANGUAGES = {".c": "c", ".cpp": "cpp", ".h": "c", ".hpp": "cpp", ".py": "python", ".sh": "sh", ".json": "json",
             ".cff": "yaml", ".cmake": "cmake"}
# HAA*, A* and so on: a star that is no emphasis, for readers of Markdown that would take it for one.
STAR = re.compile(r"(?<=A)(?<!\*)\*(?=\W)(?!\*)")

# A row of a table. GitHub needs a backslash before a bar in its code, and mkdocs must not have it.
ROW = re.compile(r"^\|.*$", re.MULTILINE)
# A line that is indented within a list: mkdocs wants four blanks for each level.
INDENT = re.compile(r"^(?:([ ]{2,3})|([ ]{5,7}))(?=[^ \n])", re.MULTILINE)


def run(*command):
    """Runs a command, and shows what it prints if it fails, but for lines that only inform."""
    done = subprocess.run(command, cwd=ROOT, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        said = [line for line in done.stdout.splitlines() if line and not line.startswith(("INFO", "  - "))]
        sys.exit("\n".join([*said, f"{command[0]} failed"]))


def tracked_files():
    """The files of the repository, and those that are about to be added."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return sorted(name for name in listed.split("\0") if name and (ROOT / name).is_file())


class Site:
    """What is copied, and where the copies are: paths of the repository, and of PAGES."""

    def __init__(self):
        self.files = tracked_files()
        self.pages = {"README.md": "index.md"}
        for name in self.files:
            path = PurePosixPath(name)
            if path.suffix == ".md" and path.parts[0] == "docs":
                self.pages[name] = str(path.relative_to("docs")).replace("README.md", "index.md")
            elif path.suffix == ".md" and len(path.parts) == 1:
                self.pages.setdefault(name, name)
        self.headers = {"include/cairn": "api/cpp/files.html"}  # and their pages in the reference
        if (VIEWER / "index.html").is_file():
            self.headers["viewer"] = "viewer/index.html"  # the page itself, not its sources
        self.shown = {}  # files and folders that pages link to, and the pages that show them

    def target(self, name):
        """The copy of a file or folder of the repository."""
        if name in self.pages:
            return self.pages[name]
        if name in self.headers:
            return self.headers[name]
        if name.startswith("docs/") and (ROOT / name).is_file():
            return name.removeprefix("docs/")
        shown = re.sub(r"(^|/)\.", r"\1", name)  # mkdocs leaves out what begins with a dot
        page = "source/" + shown + ("/index.md" if (ROOT / name).is_dir() else ".md")
        return self.shown.setdefault(name, page)

    def link(self, link, name, page):
        """A link of the file `name`, for the copy `page` of it."""
        path, hash_sign, anchor = link.partition("#")
        if not path or re.match(r"[a-z][a-z0-9+.\-]*:", link):
            return link
        where = os.path.normpath(PurePosixPath(name).parent / unquote(path))
        return os.path.relpath(self.target(where), PurePosixPath(page).parent) + hash_sign + anchor

    def titled(self, name):
        """The text of a page, where links whose text is the name of a page have its title instead."""
        def title(match):
            shown, path = match[0][1:match[0].index("](")], match[1].partition("#")[0]
            other = os.path.normpath(PurePosixPath(name).parent / path) if path else ""
            if other not in self.pages or PurePosixPath(shown).name != PurePosixPath(path).name:
                return match[0]
            heading, _ = next(check_docs.headings((ROOT / other).read_text(encoding="utf-8")))
            return f"[{heading[1]}" + match[0][1 + len(shown):]

        text = (ROOT / name).read_text(encoding="utf-8")
        for match in sorted(check_docs.links(text), key=lambda match: -match.start()):
            if text[match.start()] == "[":
                text = text[:match.start()] + title(match) + text[match.end():]
        return text

    def page_text(self, name):
        """The text of a page, with its links as the copy needs them, and the anchors of GitHub."""
        text = self.titled(name)
        changes = [(match.start(1), match.end(1), self.link(match[1], name, self.pages[name]))
                   for match in check_docs.links(text)]
        changes += [(match.end(1), match.end(), f" {{: #{anchor} }}")
                    for match, anchor in check_docs.headings(text)]
        fenceless = check_docs.blanked(check_docs.FENCE, text)
        bare = check_docs.blanked(check_docs.CODE, fenceless)
        changes += [(match.start(), match.end(), r"\*") for match in STAR.finditer(bare)
                    if bare[match.start() - 1] != "\\"]
        changes += [(match.start(), match.end(), " " * (4 if match[1] else 8)) for match in INDENT.finditer(fenceless)]
        for row in ROW.finditer(text):
            changes += [(row.start() + bar.start(), row.start() + bar.end(), "|")
                        for bar in re.finditer(r"\\\|", row[0]) if bare[row.start() + bar.start()] == " "]
        for begin, end, new in sorted(changes, reverse=True):
            text = text[:begin] + new + text[end:]
        # The table of contents does not know the escaped star.
        for match, _ in sorted(check_docs.headings(text), key=lambda heading: -heading[0].start()):
            text = text[:match.start()] + match[0].replace("\\*", "&#42;") + text[match.end():]
        return text

    def source_text(self, name, page):
        """A page that shows a file, or lists the files of a folder."""
        if (ROOT / name).is_dir():
            inside = [file for file in self.files if file.startswith(name + "/")]
            items = [f"- [{file.removeprefix(name + '/')}]({self.link(file, '', page)})" for file in inside]
            return f"# {name}\n\n" + "\n".join(items) + "\n"
        text = (ROOT / name).read_text(encoding="utf-8")
        return f"# {name}\n\n~~~~{LANGUAGES.get(PurePosixPath(name).suffix, 'text')}\n{text}~~~~\n"

    def copy(self):
        for name in self.files:
            if name.startswith("docs/") and name not in self.pages:
                write(name.removeprefix("docs/"), (ROOT / name).read_bytes())
        for name, page in self.pages.items():
            write(page, self.page_text(name).encode())
        done = set()
        while missing := [name for name in self.shown if name not in done]:
            for name in missing:  # a folder's page shows more files
                write(self.shown[name], self.source_text(name, self.shown[name]).encode())
                done.add(name)
        write("style.css", (SITE / "style.css").read_bytes())
        if "viewer" in self.headers:
            shutil.copytree(VIEWER, PAGES / "viewer", ignore=shutil.ignore_patterns("*.map.js", "*.js.map"))


def write(name, data):
    path = PAGES / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def write_search():
    """What the theme's search needs where the site is read from files: a browser lets no page fetch one,
    and starts no worker from one (theme/main.html)."""
    index = json.loads((OUT / "search" / "search_index.json").read_text(encoding="utf-8"))
    (worker,) = (OUT / "assets" / "javascripts" / "workers").glob("search.*.min.js")
    source = json.dumps(worker.read_text(encoding="utf-8"))
    (OUT / "search" / "from_files.js").write_text(
        f"window.__search = {{index: Promise.resolve({json.dumps(index)}),\n"
        f"worker: URL.createObjectURL(new Blob([{source}], {{type: 'text/javascript'}}))}};\n",
        encoding="utf-8")


def main():
    shutil.rmtree(PAGES, ignore_errors=True)
    site = Site()
    reference, faults = make_reference(ROOT, PAGES)
    listed = re.findall(r": (\S+\.md)$", (SITE / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    faults += [f"site/mkdocs.yml: its order lacks {page}" for page in sorted({*site.pages.values()} - {*listed})]
    if faults:
        sys.exit("\n".join(faults))
    site.headers |= reference.page_of
    site.copy()
    run("mkdocs", "build", "--strict", "--clean", "--config-file", "site/mkdocs.yml")
    write_search()
    print(f"{OUT.relative_to(ROOT)}/index.html: {len(site.pages)} pages, {len(site.shown)} files shown")


if __name__ == "__main__":
    main()
