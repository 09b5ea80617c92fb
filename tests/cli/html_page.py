"""html_page.py - can everybody read a page: by keyboard, by ear, on paper?

usage: html_page.py FILE ...

Prints a line for each thing that is wrong: a page without language, title, main part or
a way to skip to it; headings out of order; a table without caption or whose heads name
no scope; a figure without a text; a field without a label; what is named by an element
that is not there; no style for print.
"""

import sys
from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.wrong, self.ids, self.named = [], set(), []
        self.counts, self.heading, self.first_link = {}, 0, None
        self.style, self.tables, self.labels, self.fields = "", [], set(), []
        self.inside = []

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        self.inside.append(tag)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.ids.add(has.get("id"))
        for key in ("aria-labelledby", "aria-describedby"):
            self.named += (has.get(key) or "").split()
        if tag == "html" and not has.get("lang"):
            self.wrong.append("html: no lang")
        elif tag in ("h1", "h2", "h3", "h4"):
            if int(tag[1]) > self.heading + 1:
                self.wrong.append(f"{tag} after h{self.heading}")
            self.heading = int(tag[1])
        elif tag == "a" and self.first_link is None:
            self.first_link = has.get("href", "")
        elif tag == "table":
            # mandoc sets a page's head, its synopsis and columns without heads as tables.
            kind = (has.get("class") or "").split(" ")[0]
            laid_out = kind in ("head", "foot", "Bl-column", "Nm")
            self.tables.append({"caption": laid_out})
        elif tag == "caption":
            self.tables[-1]["caption"] = True
        elif tag == "th" and has.get("scope") not in ("col", "row"):
            self.wrong.append("th: no scope")
        elif tag == "svg" and has.get("aria-hidden") != "true" and not (
                has.get("role") == "img" and has.get("aria-labelledby")):
            self.wrong.append("svg: no text")
        elif tag == "label":
            self.labels.add(has.get("for"))
        elif tag == "input":
            self.fields.append(has.get("id"))
        elif tag in ("div", "p", "span") and has.get("tabindex") and not has.get("aria-label"):
            self.wrong.append(f"{tag}: the keyboard stops there, and it has no name")

    def handle_data(self, data):
        if self.inside and self.inside[-1] == "style":
            self.style += data

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def judged(self):
        yield from self.wrong
        for tag in ("title", "main", "h1"):
            if self.counts.get(tag, 0) < 1 or (tag != "title" and self.counts[tag] > 1):
                yield f"{self.counts.get(tag, 0)} {tag}"
        if (self.first_link or "")[:1] != "#" or self.first_link[1:] not in self.ids:
            yield "its first link does not skip to what it has"
        for name in sorted(set(self.named) - self.ids):
            yield f"{name}: named, and not there"
        for field in self.fields:
            if field not in self.labels:
                yield f"input {field}: no label"
        if not all(table["caption"] for table in self.tables):
            yield "table: no caption"
        if "@media print" not in self.style:
            yield "no style for print"


for path in sys.argv[1:]:
    page = Page()
    with open(path, encoding="utf-8") as file:
        page.feed(file.read())
    for line in page.judged():
        print(f"{path}: {line}")
