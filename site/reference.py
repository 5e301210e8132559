"""The reference of the C++ and the C interface, made by Doxygen from the comments of the public headers."""

import re
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

CONFIGS = {"cpp": "Doxyfile", "c": "Doxyfile_c"}
# A name in a comment: of C++ with its scope, or of C.
NAME = re.compile(r"\b[A-Za-z_]\w*(?:::\w+)+|\bcairn_\w+|\bCAIRN_\w+")
DETAIL = re.compile(r"^namespace detail \{$.*?^\}  // namespace detail$", re.MULTILINE | re.DOTALL)
# A namespace, and a class or struct that is defined in it.
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{$(.*?)^\}  // namespace \1$", re.MULTILINE | re.DOTALL)
CLASS = re.compile(r"^(?:class|struct) (\w+)(?: final)?(?: : [^{;]*)? \{", re.MULTILINE)
COMMENT = re.compile(r"//.*")
# Names that the reference does not have: those of other libraries, of the generated headers, of CMake's
# options, of members that are private, and those that stand for others.
OTHERS = re.compile(r"(std::|dt[A-Z]|T::|CAIRN_VERSION_|cairn_X)[\w:]*|CAIRN_(METIS|TBB)|"
                    r"ClosureScratch::Seen::last|Side::labelled")


class Reference:
    """Where the pages of headers are, and which names there are."""

    def __init__(self, root, pages):
        self.root = root
        self.page_of = {}  # by header: a path in `pages`
        self.names = set()  # each with all, some or none of its scopes
        for language in CONFIGS:
            self.read(pages, language)

    def read(self, pages, language):
        tags = pages / "api" / f"{language}.tag"
        for compound in xml.parse(tags).getroot().iterfind("compound"):
            name = re.sub(r"<.*", "", compound.findtext("name"))
            if compound.get("kind") == "file" and compound.find("path") is not None:
                header = Path(compound.findtext("path"), name)
                self.page_of[str(header.relative_to(self.root))] = f"api/{language}/{compound.findtext('filename')}"
            scopes = [] if compound.get("kind") == "file" else name.split("::")
            self.add(scopes)
            for member in compound.iterfind("member"):
                self.add([*scopes, member.findtext("name")])
                for value in member.iterfind("enumvalue"):
                    self.add([*scopes, value.text])
                    self.add([*scopes, member.findtext("name"), value.text])
        tags.unlink()

    def add(self, parts):
        self.names |= {"::".join(parts[first:]) for first in range(len(parts))}

    def missing(self):
        """Yields a line for each name in a comment of a header that stands for nothing, and for each class
        that the reference leaves out."""
        for header in self.page_of:
            text = (self.root / header).read_text(encoding="utf-8")
            for scope, body in NAMESPACE.findall(DETAIL.sub("", text)):
                for name in CLASS.findall(body):
                    if not scope.endswith("::detail") and name not in self.names:
                        yield f"{header}: the reference has no {scope}::{name}"
            for number, line in enumerate(text.split("\n"), 1):
                for name in NAME.findall("".join(COMMENT.findall(line))):
                    if name not in self.names and not OTHERS.fullmatch(name):
                        yield f"{header}:{number}: there is no {name}"


def make_reference(root, pages):
    """Runs Doxygen, which writes to pages/api. Returns the Reference and a list of faults."""
    faults = []
    for language, config in CONFIGS.items():
        (pages / "api").mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["doxygen", f"site/{config}"], cwd=root, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        faults += dict.fromkeys(done.stdout.splitlines())
        if done.returncode:
            faults.append(f"doxygen site/{config} failed")
        remove_dead_links(pages / "api" / language)
    reference = Reference(root, pages)
    return reference, faults + list(reference.missing())


def remove_dead_links(folder):
    """Removes links to the list of nested classes from pages of Doxygen where all of these are private."""
    dead = re.compile(r'<a href="#nested-classes">Classes</a> &#124;\n')
    for path in folder.glob("*.html"):
        text = path.read_text(encoding="utf-8")
        if 'name="nested-classes"' not in text and dead.search(text):
            path.write_text(dead.sub("", text), encoding="utf-8")
