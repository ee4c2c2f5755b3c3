"""TorchScript, as `torch.jit.load` sees it."""

import random
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from bytes_and_zips import changes_of_pickle, changes_of_zip, entries_of, mutated_bytes, mutated_zip
from engine import View, digest, reason
from nets import Chosen, Drawing, Kept, Odd, Plain, Shared, examples, made, outputs_digest, tensor_digest

SUFFIX = ".pt"
warnings.simplefilter("ignore")


def seeds(folder: Path) -> list[Path]:
    files = []
    for name, net in made(Plain, Shared, Chosen, Kept, Odd, Drawing):
        files.append(folder / f"{name}.scripted.pt")
        torch.jit.save(torch.jit.script(net), str(files[-1]))
    for name, net in made(Plain, Odd, Drawing):
        files.append(folder / f"{name}.traced.pt")
        torch.jit.save(torch.jit.trace(net, examples(), check_trace=False), str(files[-1]))
    files.append(folder / "frozen.pt")
    torch.jit.save(torch.jit.freeze(torch.jit.script(made(Chosen)[0][1])), str(files[-1]))
    return files


def mutate(chance: random.Random, files: Sequence[bytes]) -> bytes:
    return mutated_zip(chance, files, _entry)


def _entry(chance: random.Random, name: str, content: bytes, others: list[bytes]) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 3))):
        content = _code(chance, content, others) if name.endswith(".py") else mutated_bytes(chance, content, others)
    return content


WORD = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[A-Za-z_][A-Za-z_0-9.]*|-?[0-9][0-9.eE]*|[][(){},:=+*/-]')
SPELLINGS = (
    b"0", b"1", b"-1", b"2", b"1.", b"0.5", b"1e0", b"1e400", b"0x10", b"010", b"1_000", b"True", b"False", b"None", b'""', b"'x'", b"inf", b"nan",
    b"9223372036854775807", b"9223372036854775808", b"1j", b"CONSTANTS.c0", b"[]", b"()", b"self", b"pass", b"#", b";", b"\\\n", b"\t", b"\x0c",
    b"torch.rand_like", b"torch.relu", b"torch.neg", b"torch.add_", b"ops.prim.data", b"ops.aten.relu", b"aten.relu", b"uninitialized(Tensor)",
)


def _code(chance: random.Random, text: bytes, others: Sequence[bytes]) -> bytes:
    words = list(WORD.finditer(text))
    if not words:
        return text
    word = chance.choice(words)
    before, after = text[: word.start()], text[word.end() :]
    kind = chance.randrange(8)
    if kind == 0:
        return before + chance.choice(SPELLINGS) + after
    if kind in (1, 2):
        return before + chance.choice(words).group() + after
    if kind == 3 and others:
        found = list(WORD.finditer(chance.choice(others)))
        return before + chance.choice(found).group() + after if found else text
    if kind in (4, 5, 6):
        return _line(chance, text, others)
    return mutated_bytes(chance, text, others or [text])


def _line(chance: random.Random, text: bytes, others: Sequence[bytes]) -> bytes:
    lines = text.split(b"\n")
    at, donor = chance.randrange(len(lines)), chance.choice(lines if chance.random() < 0.7 else chance.choice(others or [text]).split(b"\n"))
    kind = chance.randrange(5)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, donor)
    elif kind == 2:
        lines[at] = donor
    elif kind == 3:
        other = chance.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        indent = re.match(rb" *", lines[at])
        lines.insert(at, (indent.group() if indent else b"") + donor.strip())
    return b"\n".join(lines)


def one_field_changes(data: bytes) -> Iterator[tuple[str, bytes]]:
    def inside(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
        if name.endswith(".debug_pkl"):
            return  # lines of Python, which torch reads when it prints them
        if name.endswith(".py"):
            yield from _changes_of_code(content)
        elif name.endswith(".pkl"):
            yield from changes_of_pickle(content)
        elif content:
            yield "a bit", bytes([content[0] ^ 1]) + content[1:]
            yield "a byte less", content[:-1]

    return changes_of_zip(data, inside)


LITERAL = re.compile(
    rb'"(?:[^"\\\n]|\\.)*"|\b(?:True|False|None)\b|(?<![\w.])-?[0-9][0-9.eE]*'
    rb"|(?<=torch\.)\w+|(?<=\()\w+(?=[,)])|(?<=self\.)\w+|\w+(?=:)"
)


def _changes_of_code(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Each literal, function, argument, attribute and name of a parameter."""
    for word in LITERAL.finditer(text):
        old = word.group()
        others = {b"True": b"False", b"False": b"True", b"None": b"1"}
        number = old[:1] in b"-0123456789"
        new = others.get(old) or (b"1" + old.lstrip(b"-") if number else old[:-1] + b'x"' if old[:1] == b'"' else _other_word(old, text))
        yield (b"number" if number else old).decode("latin-1"), text[: word.start()] + new + text[word.end() :]


def _other_word(old: bytes, text: bytes) -> bytes:
    functions = [b"neg", b"relu", b"abs"]
    if re.search(rb"torch\." + old + rb"\b", text):
        return next(each for each in functions if each != old)
    return next((each for each in (b"x", b"y", b"self") if each != old and re.search(rb"\b" + each + rb"\b", text)), old + b"x")


def look(path: str) -> dict[str, View | str]:
    try:
        return {"torch": _view(torch.jit.load(path), path)}
    except Exception as error:
        return {"torch": reason(error)}


def _view(module: Any, path: str) -> View:
    graph = module.inlined_graph.copy()
    torch._C._jit_pass_dce(graph)
    torch._C._jit_pass_canonicalize(graph, False)
    text = re.sub(r" # .*", "", re.sub(r"<[^>\n]*>", "", graph.str(False)))
    numbers: dict[str, str] = {}
    text = re.sub(r"%[\w.]+", lambda name: numbers.setdefault(name.group(), f"%{len(numbers)}"), text)
    text = re.sub(r"__torch__(\.\w+)*", "C", text)
    constants = [each.output().toIValue() for each in graph.findAllNodes("prim::Constant")]
    numbers_in_full = [tensor_digest(each) for each in constants if isinstance(each, float | complex | torch.Tensor)]
    weights = [f"{name}={tensor_digest(value)}" for name, value in (*module.named_parameters(), *module.named_buffers())]
    torch.manual_seed(0)
    try:
        with torch.jit.optimized_execution(False):
            outputs = outputs_digest(module(*examples()))
    except Exception:
        outputs = ""
    # The order in which they were registered is a difference in leaf modules alone (docs/security.md).
    return View(digest(text, *numbers_in_full, *sorted(weights)), outputs, {}, digest(*weights) + _calls(path))


def _calls(path: str) -> str:
    """What the code calls, of which torch drops what has no effect."""
    code = b"".join(content for name, content in entries_of(Path(path).read_bytes()) if name.endswith(".py"))
    return digest(*sorted(re.findall(rb"[a-z]+\.\w+(?=\()", code)))


def operators(summary: Mapping[str, Any]) -> Mapping[str, int]:
    return dict(summary["schemas"])
