"""Makes a page of documents, as the program does, for tests of the page alone."""

import base64
import json
import zlib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
GAP = "<!--documents-->"


def block(kind, document, model=None):
    """A document in a script element."""
    data = base64.b64encode(zlib.compress(json.dumps(document).encode())).decode()
    about = "" if model is None else f' data-model="{model}"'
    return f'<script type="text/plain" data-kind="{kind}"{about}>{data}</script>\n'


def write_page(path, main, **documents):
    """Writes a page about `main`; the others are lists of documents by kind, one for each model."""
    blocks = [block(kind, each, number) for kind, all_of_them in documents.items() for number, each in enumerate(all_of_them)]
    shell = (PROJECT / "page/page.html").read_text()
    path.write_text(shell.replace(GAP, "".join([*blocks, block("main", main)])))
