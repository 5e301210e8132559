"""Finds words that Cairn's sources and documentation avoid: usage: check_words.py [FOLDER...]

Prints a line for each finding, and exits with 1 if there is any. words.json has the words with what
to write instead, and the folders that are read by default. Words are found in upper and lower case,
in the plural, and as parts of identifiers (`trip` in `best_trip` and `TripList`, not in `triple`).
Words under "identifiers" are refused only in identifiers, not in comments, strings and
documentation. The "phrases" are always allowed.
"""

import json
import pathlib
import re
import subprocess
import sys

SOURCES = {".cpp", ".hpp", ".h", ".c", ".cu", ".fbs", ".mjs", ".ts"}
TEXTS = {".md", ".txt", ".cmake", ".py", ".sh", ""}
PROSE = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def without_prose(text):
    return PROSE.sub("", text)


def singular(word):
    return word[:-1] if word.endswith("s") else word


def findings(file, words, identifiers, phrases):
    """Yields a message for each word of a file that must not be there."""
    text = file.read_text(errors="replace")
    for phrase in phrases:
        text = text.replace(phrase, "")
    source = file.suffix in SOURCES
    for number, line in enumerate(text.split("\n"), 1):
        seen = {}
        for table, part in ((words, line), (identifiers, without_prose(line) if source else "")):
            for word in map(str.lower, WORD.findall(part)):
                for form in (word, singular(word)):
                    if form in table:
                        seen[word] = table[form]
        for word, instead in seen.items():
            yield f"{file}:{number}: '{word}': write {instead}"


def main():
    here = pathlib.Path(__file__).parent
    data = json.loads((here / "words.json").read_text())
    folders = sys.argv[1:] or data["folders"]
    run = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders],
        check=True, capture_output=True, text=True)
    bad = 0
    for name in sorted(set(run.stdout.split("\n")[:-1])):
        file = pathlib.Path(name)
        if file.name == "check_words.py" or not file.is_file():
            continue
        if file.suffix in SOURCES | TEXTS:
            for finding in findings(file, data["words"], data["identifiers"],
                                    data["phrases"]):
                print(finding)
                bad += 1
    sys.exit(1 if bad else 0)


main()
