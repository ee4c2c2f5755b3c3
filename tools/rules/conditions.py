"""Finds out under which conditions a runtime refuses an operator, from its answers to valid models of one node.

A condition is one fact about a node, or two, that holds for no model that the runtime takes. The facts are what a linter sees:
an attribute's value, an operand's dtype or rank, whether it is computed.
"""
from __future__ import annotations

import collections
import itertools
import os
import re
import select
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

import profile_file as out
from onnx import TensorProto
from probes import ABSENT, CONSTANT, Facts, examples, facts_of, probes_of

MANY = 5  # refused numbers of one attribute stand for all others
PATIENCE = 60  # seconds for one answer
CRASH = "the runtime crashes"
NAMES = {"FLOAT": "float32", "DOUBLE": "float64", "FLOAT4E2M1": "float4_e2m1fn", "FLOAT8E4M3FN": "float8_e4m3fn",
         "FLOAT8E4M3FNUZ": "float8_e4m3fnuz", "FLOAT8E5M2": "float8_e5m2", "FLOAT8E5M2FNUZ": "float8_e5m2fnuz",
         "FLOAT8E8M0": "float8_e8m0fnu"}


def dtype_name(number: int) -> str:
    name = TensorProto.DataType.Name(number)
    return NAMES.get(name, name.lower())


class Runtime:
    """A process that is asked about one model after the other, and restarted where one of them ends it."""

    def __init__(self, program: str) -> None:
        self.program = program + ("\nimport sys\nfor path in sys.stdin:\n"
                                  "    try:\n        ask(path.strip()); answer = ''\n"
                                  "    except Exception as error:\n        answer = ' '.join(str(error).split()) or 'refused'\n"
                                  "    print('ANSWER ' + answer, flush=True)\n")
        self.process: subprocess.Popen[str] | None = None

    def answer(self, model: bytes) -> str:
        """What the runtime says against it; empty where it takes it."""
        if self.process is None:
            self.process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", self.program], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
            file.write(model)
            file.flush()
            print(file.name, file=self.process.stdin, flush=True)
            while select.select([self.process.stdout], [], [], PATIENCE)[0]:
                if line := self.process.stdout.readline():
                    if line.startswith("ANSWER "):
                        return line[len("ANSWER "):].strip()
                    continue
                break
        self.process.kill()
        self.process.wait()
        self.process = None
        return CRASH


Example = tuple[Facts, str]  # and the answer


def may_be_cause(key: tuple, value: object) -> bool:
    """A fact that a linter could not explain to a user is not a condition."""
    if key[0] == "attribute" and key[1].endswith(("axis", "axes")):
        return False  # dimensions are a matter of shapes
    return key != ("version",) and value != "given" and not (key[0] == "operand" and value == CONSTANT)


def holds(conjunction: tuple, facts: Facts) -> bool:
    return all(facts.get(key) == value for key, value in conjunction)


def is_decided(conjunction: tuple, facts: Facts, taken: list[Facts]) -> bool:
    """Whether a model that differs only in this is taken: then nothing else can be the cause."""
    keys = {key for key, _ in conjunction}
    followers = {("result dtype", 0), ("result rank", 0)}  # results follow from the inputs
    return any(all(other.get(k) == v for k, v in facts.items() if k not in keys | followers) for other in taken)


def causes(examples_: list[Example]) -> Iterator[tuple[tuple, str]]:
    """Conjunctions of facts with the runtime's message, until every refusal that can be explained is covered."""
    taken = [facts for facts, answer in examples_ if not answer]
    left = [(facts, answer) for facts, answer in examples_ if answer]
    if not taken:
        return
    for size in (1, 2):
        while left:
            votes: collections.Counter[tuple] = collections.Counter()
            for facts, _ in left:
                atoms = [(k, v) for k, v in facts.items() if may_be_cause(k, v)]
                for chosen in itertools.combinations(atoms, size):
                    if not any(holds(chosen, other) for other in taken):
                        votes[chosen] += 1 + 1000 * is_decided(chosen, facts, taken)
            best = votes.most_common(1)
            if not best or (best[0][1] < 1000 and not stands_alone(best[0][0], examples_)):
                break
            chosen = best[0][0]
            yield chosen, next(answer for facts, answer in left if holds(chosen, facts))
            left = [(facts, answer) for facts, answer in left if not holds(chosen, facts)]


# This depends on sizes, which no condition here is about.
OF_SIZES = re.compile("[Ss]hape|size|divisible|dimension|out of range|axis|axes")


def is_number(key: tuple, value: object) -> bool:
    return key[0] == "attribute" and not isinstance(value, str)


def is_general(conjunction: tuple, answer: str, facts: Facts) -> bool:
    """Whether it holds beyond the examples: a number may be wrong only for their sizes, or for another attribute's number."""
    numbers = [(key, value) for key, value in conjunction if is_number(key, value)]
    if not numbers:
        return True
    others = {key[1] for key in facts if key[0] == "attribute"} - {key[1] for key, _ in conjunction}
    said = reason_of(answer)
    return (OF_SIZES.search(said) is None and not any(re.search(rf"\b{name}_?\b", said) for name in others)
            and (len(conjunction) == 1 or all(value in (0, 1) for _, value in numbers)))


def stands_alone(conjunction: tuple, examples_: list[Example]) -> bool:
    """Whether it holds without a counterpart that differs in nothing else: if all of several examples agree."""
    covered = [answer for facts, answer in examples_ if holds(conjunction, facts)]
    others = [answer for facts, answer in examples_ if not holds(conjunction, facts)]
    return len(conjunction) == 1 and not is_number(*conjunction[0]) and len(covered) >= 2 and bool(others) and sum(not a for a in others) >= 2


def reason_of(answer: str) -> str:
    """The runtime's sentence, without places in its sources and without details of the model."""
    text = re.sub(r"^.*?(detailed log:|Exception during initialization:)", "", answer)
    text = re.sub(r"Summary: -- .*$|To facilitate the conversion.*$", "", text)
    text = re.sub(r"Exception from \S+:|Check '.*?' failed at \S+:|FrontEnd API failed with \w+:|-- \S+ with a message:", "", text)
    text = re.sub(r"(with )?friendly_name '\S+'", "", text)
    text = re.sub(r"While validating (ONNX )?node '.*?':?( \(.*?\)'?)?|/\S+:\d+:?|\(node:'' ep:'\w+'\)", "", text)
    return " ".join(text.split()).strip(": ")[:200]


def condition(key: tuple, values: list) -> dict:
    kind = key[0]
    if kind == "attribute":
        given = [v for v in values if v != ABSENT]
        whichever = len(given) >= MANY and ABSENT not in values and is_number(key, given[0])
        entry: dict = {"attribute": key[1]} | ({"is": sorted(given, key=str)} if given and not whichever else {})
        return entry | ({"or_absent": True} if ABSENT in values else {})
    place = "output" if kind.startswith("result") else "input"
    if kind.endswith("dtype"):
        return {place: key[1], "dtypes": sorted(map(dtype_name, values))}
    if kind.endswith("rank"):
        return {place: key[1], "ranks": sorted(values)}
    return {place: key[1], "absent" if values == [ABSENT] else "computed": True}


def merged(found: list[tuple[tuple, str]]) -> list[tuple[list[dict], str]]:
    """Conjunctions that differ only in one fact's value are merged."""
    groups: dict[tuple, list] = {}
    for conjunction, reason in found:
        for at, (key, value) in enumerate(conjunction):
            rest = tuple(each for i, each in enumerate(conjunction) if i != at)
            same = groups.get((key, rest))
            if same is not None and key[0] != "operand":
                same[0].append(value)
                break
        else:
            key, value = conjunction[0]
            groups[key, conjunction[1:]] = [[value], reason]
    return [([condition(key, values), *(condition(k, [v]) for k, v in rest)], reason)
            for (key, rest), (values, reason) in groups.items()]


def learn(runtime: Runtime, listed: Callable[[tuple[str, str]], bool], versions: dict[tuple[str, str], list[int]],
          dtypes: list[int], explained: Callable[[Facts, str], bool]) -> list[dict]:
    """The entries of [[refused]]. `explained`: refusals that another table foresees."""
    found: dict[tuple, list[str]] = {}
    for key, known in sorted(examples().items()):
        if not listed(key):
            continue
        asked = [(facts_of(p), runtime.answer(p.model.SerializeToString())) for p in probes_of(known, dtypes, versions.get(key, []))]
        conclusive = [(facts, answer) for facts, answer in asked if not (answer and explained(facts, answer))]
        name = f"{key[0] or 'onnx'}::{key[1]}"
        for conditions, answer in merged([(c, answer) for c, answer in causes(conclusive) if is_general(c, answer, conclusive[0][0])]):
            entry = (tuple(map(out.inline, conditions)), reason_of(answer) or f"{name.rpartition(':')[2]} is refused")
            found.setdefault(entry, []).append(name)
        refused = sum(bool(a) for _, a in conclusive)
        if refused and os.environ.get("PROBES_TALK"):
            print(f"{name}: {refused} of {len(conclusive)} refused", flush=True)
    return [{"operators": names, "when": out.Raw("[" + ", ".join(conditions) + "]"), "reason": reason}
            for (conditions, reason), names in found.items()]
