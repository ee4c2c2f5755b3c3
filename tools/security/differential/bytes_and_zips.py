"""Mutations of bytes, of zips and of JSON texts."""

import io
import json
import pickletools
import random
import re
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Entry = tuple[str, bytes]
NUMBERS = (0, 1, 2, 7, 8, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF)


def mutated_bytes(chance: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A few bytes changed, cut, doubled, or taken from another file."""
    if not data:
        return data
    at = chance.randrange(len(data))
    if chance.random() < 0.3:  # near the end, where a zip has its directory
        at = max(0, len(data) - chance.randrange(1, min(len(data), 400) + 1))
    size = chance.choice((1, 1, 1, 2, 4, 8, 16, 64))
    kind = chance.randrange(6)
    if kind == 0:
        return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
    if kind == 2:
        return data[:at] + data[at + size :]
    if kind == 3:
        return data[:at] + data[at : at + size] + data[at:]
    if kind == 4:
        other = chance.choice(others)
        start = chance.randrange(max(1, len(other)))
        return data[:at] + other[start : start + size] + data[at + size * chance.randrange(2) :]
    width = chance.choice("HIQ")
    number = (chance.choice(NUMBERS) + chance.randrange(-1, 2)) % 2 ** (8 * struct.calcsize(width))
    return data[:at] + struct.pack("<" + width, number) + data[at + struct.calcsize(width) :]


def entries_of(data: bytes) -> list[Entry]:
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        return [(entry.filename, source.read(entry)) for entry in source.infolist()]


def zip_of(chance: random.Random, entries: Sequence[Entry]) -> bytes:
    made = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(made, "w") as target:
        warnings.simplefilter("ignore")
        for name, content in entries:
            kind = zipfile.ZIP_DEFLATED if chance.random() < 0.02 else zipfile.ZIP_STORED
            target.writestr(zipfile.ZipInfo(name), content, kind)
        if chance.random() < 0.05:
            target.comment = chance.choice((b"x", b"PK\x05\x06", b"PK\x05\x06" + b"\0" * 18, b"PK\x01\x02" * 8))
    return made.getvalue()


def other_name(chance: random.Random, name: str) -> str:
    folder, _, last = name.rpartition("/")
    spellings: list[Callable[[], str]] = [
        name.upper, name.lower, name.swapcase,
        lambda: name + "/", lambda: "/" + name, lambda: "./" + name, lambda: f"{folder}//{last}", lambda: f"{folder}/./{last}",
        lambda: f"{folder}/../{folder.rpartition('/')[2]}/{last}", lambda: name.replace("/", "\\"), lambda: name + "\0x", lambda: name + " ",
        lambda: name.split("/", 1)[-1], lambda: "other/" + name, lambda: "other/" + name.split("/", 1)[-1], lambda: f"{folder}/x{last}",
        lambda: name.replace("e", "е"), lambda: name[:-1], lambda: name[:-1] + "x",
    ]
    return chance.choice(spellings)()


def mutated_zip(
    chance: random.Random, files: Sequence[bytes], mutated_entry: Callable[[random.Random, str, bytes, list[bytes]], bytes]
) -> bytes:
    """Entries changed by the format's own mutation, renamed, doubled, moved, dropped, taken from another file; then perhaps bytes of the zip."""
    data = chance.choice(files)
    if chance.random() < 0.15:
        return mutated_container(chance, data, files)
    entries = entries_of(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        entries = _mutated_entries(chance, entries, files, mutated_entry)
    made = zip_of(chance, entries)
    return mutated_container(chance, made, files) if chance.random() < 0.05 else made


def _mutated_entries(
    chance: random.Random, entries: list[Entry], files: Sequence[bytes], mutated_entry: Callable[[random.Random, str, bytes, list[bytes]], bytes]
) -> list[Entry]:
    if not entries:
        return entries
    at = chance.randrange(len(entries))
    name, content = entries[at]
    others = entries_of(chance.choice(files))
    if chance.random() < 0.7:
        alike = [data for other, data in others if other.split("/", 1)[-1] == name.split("/", 1)[-1]] or [data for _, data in others]
        return [*entries[:at], (name, mutated_entry(chance, name, content, alike)), *entries[at + 1 :]]
    theirs = chance.choice(others)
    alike_named = next((data for other, data in others if other.split("/", 1)[-1] == name.split("/", 1)[-1]), content)
    kind = chance.randrange(7)
    if kind == 0:
        return [*entries[:at], (other_name(chance, name), content), *entries[at + 1 :]]
    if kind == 1:
        added = (other_name(chance, name), alike_named)
        return [added, *entries] if chance.random() < 0.5 else [*entries, added]
    if kind == 2:
        return [*entries, (name, alike_named)] if chance.random() < 0.5 else [(name, alike_named), *entries]
    if kind == 3:
        return entries[:at] + entries[at + 1 :]
    if kind == 4:
        return [*entries[:at], (name, alike_named), *entries[at + 1 :]]
    if kind == 5:
        top = entries[0][0].split("/", 1)[0]
        return [*entries, (f"{top}/{theirs[0].split('/', 1)[-1]}", theirs[1])]
    return chance.sample(entries, len(entries))


def mutated_container(chance: random.Random, data: bytes, files: Sequence[bytes]) -> bytes:
    """The zip as bytes: fields of its records, two zips behind one another, something before or behind."""
    kind = chance.randrange(8)
    if kind == 0:
        return data + chance.choice(files)
    if kind == 1:
        return chance.choice((b"\0", b"x" * 7, b"PK\x05\x06" + b"\0" * 18, b"\n")) + data
    if kind == 2:
        return data + chance.choice((b"\0", b"x" * 7, b"PK\x05\x06" + b"\0" * 18, b"\n"))
    if kind in (3, 4, 5):
        return _changed_record(chance, data)
    if kind == 6:
        return _other_local_name(chance, data)
    return mutated_bytes(chance, data, files)


FIELDS = {b"PK\x01\x02": (46, "HHHHHHIIIHHHHHII"), b"PK\x03\x04": (30, "HHHHHIIIHH"), b"PK\x05\x06": (22, "HHHHIIH")}


def _changed_record(chance: random.Random, data: bytes) -> bytes:
    places = [found.start() for found in re.finditer(rb"PK(\x01\x02|\x03\x04|\x05\x06)", data)]
    if not places:
        return data
    at = chance.choice(places)
    size, form = FIELDS[data[at : at + 4]]
    record = data[at + 4 : at + size]
    if len(record) != size - 4:
        return data
    numbers = list(struct.unpack("<" + form, record))
    which = chance.randrange(len(numbers))
    wide = form[which] == "I"
    numbers[which] = (chance.choice((numbers[which] + chance.randrange(-2, 3), chance.choice(NUMBERS), chance.choice(numbers)))) % (
        2**32 if wide else 2**16
    )
    return data[: at + 4] + struct.pack("<" + form, *numbers) + data[at + size :]


def _other_local_name(chance: random.Random, data: bytes) -> bytes:
    """A name that stands before its entry and in the directory, changed in one of the places."""
    names = [found for found in re.finditer(rb"[A-Za-z_0-9./]{6,}", data) if b"/" in found.group()]
    if not names:
        return data
    found = chance.choice(names)
    at = found.start() + chance.randrange(len(found.group()))
    return data[:at] + chance.choice((b"x", b"/", data[at : at + 1].swapcase())) + data[at + 1 :]


TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null|[][{},:]')
SPELLINGS = (
    b"0", b"1", b"-1", b"2", b"3", b"1.0", b"1e0", b"0.5", b"-0", b"-0.0", b"1e400", b"NaN", b"Infinity", b"-Infinity", b"true", b"false", b"null",
    b'""', b'"1"', b"[]", b"{}", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809", b"1E2", b"01", b"+1", b"0x1", b"'x'",
    b'"\\ud800"', b'"\\u0000"', b"1.7976931348623159e308", b"123456789012345678901234567890", b"4.9e-324", b"0.1000000000000000055511151231257827",
)


def mutated_json(chance: random.Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """A token, a member or an element changed, doubled, dropped, spelt otherwise or taken from another text."""
    tokens = list(TOKEN.finditer(text))
    if not tokens:
        return mutated_bytes(chance, text, others)
    token = chance.choice(tokens)
    before, old, after = text[: token.start()], token.group(), text[token.end() :]
    kind = chance.randrange(10)
    if kind == 0 and old[:1] == b'"':
        return before + _escaped(chance, old) + after
    if kind == 1:
        return before + chance.choice(SPELLINGS) + after
    if kind == 2:
        return before + chance.choice(tokens).group() + after
    if kind == 3 and others:
        found = list(TOKEN.finditer(chance.choice(others)))
        return before + chance.choice(found).group() + after if found else text
    if kind == 4 and old[:1] not in b'"[]{},:tfn':
        return before + _number(chance, old) + after
    if kind in (5, 6):
        return _member(chance, text, others)
    if kind == 7:
        return before + chance.choice((b" ", b"\n", b"/**/", b"\t", b"\xef\xbb\xbf", b"\0", b"\x0b")) + old + after
    if kind == 8:
        return chance.choice((text.decode("utf-8", "replace").encode("utf-16"), b"\xef\xbb\xbf" + text, text + b" x", text + b"{}", text + b"\0"))
    return mutated_bytes(chance, text, others or [text])


def _escaped(chance: random.Random, string: bytes) -> bytes:
    if len(string) < 3:
        return string
    at = chance.randrange(1, len(string) - 1)
    if string[at] >= 0x80 or string[at - 1] == 0x5C or string[at] == 0x5C:
        return string
    return string[:at] + f"\\u{string[at]:04x}".encode() + string[at + 1 :]


def _number(chance: random.Random, old: bytes) -> bytes:
    try:
        value = float(old)
    except ValueError:
        return old
    whole = int(value) if abs(value) < 2**63 else 0
    return chance.choice((f"{whole + 1}", f"{whole - 1}", f"{whole}.0", f"{value:e}", f"{-whole}", f"{value * 1.5}", old.decode() + "0")).encode()


MEMBER = re.compile(rb'"(?:[^"\\]|\\.)*": ?(?:"(?:[^"\\]|\\.)*"|[-0-9.a-zE+]+|\{[^{}]*\}|\[[^][]*\])')


def _member(chance: random.Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """A whole member `"key": value` doubled with another value, dropped, or given another key's value."""
    members = list(MEMBER.finditer(text))
    if not members:
        return text
    member = chance.choice(members)
    old = member.group()
    before, after = text[: member.start()], text[member.end() :]
    key, _, value = old.partition(b":")
    theirs = list(MEMBER.finditer(chance.choice(others))) if others and chance.random() < 0.3 else []
    donor = chance.choice(theirs or members)
    same = [each.group() for each in members if each.group().startswith(key + b":")] or [old]
    other = chance.choice((donor.group().partition(b":")[2], chance.choice(same).partition(b":")[2], b" " + chance.choice(SPELLINGS)))
    kind = chance.randrange(5)
    if kind == 0:
        return before + old + b", " + key + b":" + other + after
    if kind == 1:
        return before + key + b":" + other + b", " + old + after
    if kind == 2:
        return before + key + b":" + other + after
    if kind == 3:
        return before + chance.choice((b'"x": 1, ', donor.group() + b", ")) + old + after
    return before + re.sub(rb"^,\s*", b"", after) if after[:1] == b"," else before + value + after


# One field changed at a time: where it is, and the text, pickle or zip with it changed.


def changes_of_json(text: bytes) -> Iterator[tuple[str, bytes]]:
    """Each value changed, each member left out."""
    whole = json.loads(text)

    def walk(value: Any, where: str) -> Iterator[tuple[str, bytes]]:
        pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
        for key, held in pairs:
            place = f"{where}.{key}" if isinstance(value, dict) else f"{where}[]"
            if isinstance(value, dict):
                del value[key]
                yield f"{place} left out", json.dumps(whole).encode()
                value.clear()
                value.update(pairs)
            if not isinstance(held, dict | list):
                value[key] = _other_value(held)
                yield place, json.dumps(whole).encode()
                value[key] = held
            yield from walk(held, place)

    yield from walk(whole, "")


def _other_value(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return 1 if value is None else value + "x"


OTHER_OPCODE = {"NEWTRUE": b"\x89", "NEWFALSE": b"\x88", "NONE": b"\x88"}


def changes_of_pickle(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Each number, text and flag."""
    for code, argument, at in pickletools.genops(data):
        if at is None:
            continue
        if code.name in OTHER_OPCODE:
            yield code.name, data[:at] + OTHER_OPCODE[code.name] + data[at + 1 :]
        elif code.name in ("BININT", "BININT1", "BININT2", "BINFLOAT"):
            last = at + {"BININT": 1, "BININT1": 1, "BININT2": 1, "BINFLOAT": 2}[code.name]
            yield code.name, data[:last] + bytes([data[last] ^ 1]) + data[last + 1 :]
        elif code.name in ("BINUNICODE", "SHORT_BINUNICODE", "GLOBAL") and argument:
            last = at + {"BINUNICODE": 5, "SHORT_BINUNICODE": 2, "GLOBAL": 1}[code.name] + len(argument.encode()) - 1
            yield f"{code.name} {argument}", data[:last] + bytes([data[last] ^ 1]) + data[last + 1 :]


def changes_of_zip(data: bytes, inside: Callable[[str, bytes], Iterator[tuple[str, bytes]]]) -> Iterator[tuple[str, bytes]]:
    entries = entries_of(data)
    for at, (name, content) in enumerate(entries):
        short = name.split("/", 1)[-1]
        for where, changed in inside(short, content):
            yield f"{short}: {where}", zip_of(random.Random(3), [*entries[:at], (name, changed), *entries[at + 1 :]])
