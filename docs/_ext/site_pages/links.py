"""Whether every link inside a built site leads somewhere.

    python -m site_pages.links FOLDER

Sphinx checks what it resolves itself; this reads what it wrote. Nothing outside is asked for.
"""

from __future__ import annotations

import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, and what it links to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One element."""
        for name, value in attrs:
            if name == "id" and value:
                self.ids[value] += 1
            elif name in {"href", "src"} and value:
                self.links.append(value)


def faults(folder: Path) -> list[str]:
    """Links that lead nowhere and anchors that are there twice, with their pages."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        name = path.relative_to(folder)
        found += [f"{name}: #{anchor} twice" for anchor, n in page.ids.items() if n > 1]
        found += [f"{name}: {link}" for link in page.links if not _leads(link, path, pages)]
    return found


def _leads(link: str, path: Path, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not parts.fragment or file not in pages:
        return file.is_file()
    return unquote(parts.fragment) in pages[file].ids


def main() -> None:
    """Print the faults; exit 1 when there are any."""
    found = faults(Path(sys.argv[1]).resolve())
    for fault in found:
        print(fault)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
