"""What a runtime says of a model that it does not take, and which facts its words are about."""
from __future__ import annotations

import functools
import re
from collections.abc import Callable

from probe.facts import ABSENT, COMPUTED, CONSTANT, WORKED_OUT, Atom, Atoms, Facts

# That depends on sizes or values, which no condition here is about.
OF_SIZES = re.compile("[Ss]hape|size|divisible|[Dd]imension|out of range|out of bounds|negative|greater than|less than|volume|element count")
OF_DTYPES = re.compile(r"\btype|[tT]ype\b|dtype|FLOAT|INT\d|UINT|HALF|BF16|DataType|tensor\(|element_type|precision|kINT|kFLOAT|bool", re.IGNORECASE)
OF_RESULTS = re.compile("output")
OF_CONSTANTS = re.compile("initializer|constant|[wW]eights|build-time|[dD]ynamic|Cannot get shape")
OF_MISSING = re.compile(r"being null|is null")
SIGNATURE = re.compile(r"\[with [^\]]*\]")  # of a function in sources: its dtype is no complaint
OF_NO_NAME = re.compile(r"name ''")  # of a result that is left out
NOT_CONSTANT = re.compile("not constant|[Nn]on-constant|not an initializer|as an initializer|to a build-time constant|support dynamic|"
                          "must be (an |constant )initializer|compile-time constant|need to be constant|input\\[\\d\\] must be a constant")
NAMED_CONSTANT = re.compile(r"[Tt]he input (\d+) of \w+ need to be constant")  # by its number
OF_A_CONSTANT = re.compile(r"bound to different types \(tensor\(int32\) and tensor\(int64\)|onstant \(.*\) is only allowed|"
                           "[iI]mport initializer")  # it must not be one
OF_ENTRIES = re.compile("unsupported input type")
SHORTEST_NAME = 4  # of an operand: a shorter one may stand for anything in a sentence
# Operands of different dtypes: then the dtype of one alone is not the cause.
OF_SEVERAL = re.compile("same (input )?types?|of same type|[mM]ixed|have the same (element )?type|do not match|different types")
DTYPE_WORDS = {"float32": r"float\b|float32|FP32", "float64": "double|float64", "float16": "half|float16|FP16", "bfloat16": "bfloat16|BF16",
               "float8_e4m3fn": "FP8|float8"}
OF_RANKS = re.compile(r"dedicated kernel|pooling size|PoolMax3d|"
                      r"Scalar|per-tensor|kernel dimension|NumDimensions|[Rr]ank|nbDims|\b[1-6]-?D\b|[Dd]imension|"
                      r"[Dd]ims\b|spatial")
# Says no more than that a node will not do: of dtypes and of ranks alike.
OPAQUE = re.compile("backendValidateOpConfig|Failed to finalize QNN graph|on the NPU does not support|the runtime ends its process|"
                    r"call to readMap meet a error|"
                    r"Name:'\w+_rs'")  # of a node that the compiler made
STATES_RANKS = re.compile(r"less than \d|only supports? (input )?ranks?|rank > \d|rank-\d")
OF_OTHERS = re.compile("same rank|rank = |Shape Error|equal to|[Bb]roadcast|must match|do not match")  # shapes that do not fit each other
WORDS_OF = {"dtype": OF_DTYPES, "result dtype": OF_DTYPES, "rank": OF_RANKS, "result rank": OF_RANKS, "result": OF_RESULTS}


def kinds_of(atoms: Atoms) -> list[object]:
    return [key[0] for key, _ in atoms]


def is_of_several(atoms: Atoms) -> bool:
    return kinds_of(atoms).count("dtype") != 1


def is_of_one_constant(atoms: Atoms) -> bool:
    """Whether one operand is a constant, and no dtype that of another."""
    constants = [key[1] for key, value in atoms if key[0] == "operand" and value == CONSTANT]
    return len(constants) == 1 and all(key[1] == constants[0] for key, _ in atoms if key[0] == "dtype")


def is_of_no_constant(atoms: Atoms) -> bool:
    return any(key[0] == "operand" and value in (COMPUTED, WORKED_OUT) for key, value in atoms)


def is_of_given(atoms: Atoms) -> bool:
    return "given" in kinds_of(atoms)


class Complaint:
    """The runtime's words, held against the facts of the model."""

    def __init__(self, said: str, facts: Facts) -> None:
        self.said = SIGNATURE.sub("", said)
        self.facts = facts

    def speaks(self, words: re.Pattern[str]) -> bool:
        return words.search(self.said) is not None

    @functools.cached_property
    def of_missing(self) -> bool:
        return self.speaks(OF_MISSING)

    @functools.cached_property
    def demands(self) -> list[Callable[[Atoms], bool]]:
        """What is true of each cause that goes with these words."""
        is_of_a_constant = self.speaks(OF_A_CONSTANT)
        demands = {is_of_several: self.speaks(OF_SEVERAL) and not is_of_a_constant, is_of_one_constant: is_of_a_constant,
                   is_of_no_constant: self.speaks(NOT_CONSTANT), is_of_given: self.of_missing}
        return [demand for demand, is_made in demands.items() if is_made]

    @functools.cached_property
    def constant_asked_for(self) -> Atom | None:
        """That the operand whose number the runtime gives is computed."""
        found = NAMED_CONSTANT.search(self.said)
        return (("operand", int(found[1])), COMPUTED) if found else None

    @functools.cached_property
    def named_attributes(self) -> set[tuple[object, ...]]:
        return {key for key in self.facts if key[0] == "attribute" and re.search(rf"\b{re.escape(str(key[1]))} attribute\b", self.said)}

    def is_about(self, atom: Atom) -> bool:
        """Whether the words make a fact a cause that would be none by itself."""
        about = {"result": self.is_about_result, "given": self.is_about_given, "operand": self.is_about_operand, "entry": self.is_about_entry}
        kind = str(atom[0][0])
        return kind in about and about[kind](atom)

    def is_about_result(self, atom: Atom) -> bool:
        """Whether a result is not asked for where one is missing, or left out, also the first, where a value without a name is looked for."""
        (_, number), value = atom
        return value == ABSENT and (self.speaks(OF_NO_NAME) or (self.of_missing and number != 0))

    def is_about_given(self, atom: Atom) -> bool:
        """Whether an optional operand is given that the runtime names, or where it speaks of one that is missing."""
        return bool(atom[1]) and (self.of_missing or self.names_operand(atom))

    def names_operand(self, atom: Atom) -> bool:
        name = str(self.facts.get(("formal", atom[0][1]), "")) if atom[1] else ""
        return len(name) >= SHORTEST_NAME and re.search(rf"\b{re.escape(name)}\b", self.said) is not None

    def is_about_operand(self, atom: Atom) -> bool:
        """Whether an operand is a constant, where it must not be or a result may have its dtype, or computed, where it must be a constant."""
        return atom == self.constant_asked_for or (atom[1] == CONSTANT and (self.speaks(OF_A_CONSTANT) or self.speaks(OF_ENTRIES)))

    def is_about_entry(self, atom: Atom) -> bool:
        """Whether an operand is an input of the model, where the runtime speaks of the dtype of one: a result may have it."""
        return bool(atom[1]) and self.speaks(OF_ENTRIES)

    def decides(self, atoms: Atoms) -> bool:
        """Whether no other model is needed to see that this is the cause."""
        if self.of_missing and {"given", "result"}.issubset(kinds_of(atoms)):
            return True
        return len(atoms) == 1 and (atoms[0] == self.constant_asked_for or self.leaves_out(atoms[0]))

    def leaves_out(self, atom: Atom) -> bool:
        return atom[0][0] == "result" and atom[1] == ABSENT and self.speaks(OF_NO_NAME)

    def fits(self, atoms: Atoms) -> bool:
        return not self.passes_over(atoms) and all(demand(atoms) for demand in self.demands)

    def passes_over(self, atoms: Atoms) -> bool:
        """Whether an opset is blamed where the runtime's words name an attribute."""
        return "version" in kinds_of(atoms) and bool(self.named_attributes) and self.named_attributes.isdisjoint(key for key, _ in atoms)

    def names(self, atom: Atom) -> int:
        """How much the words speak of a fact."""
        (kind, *rest), value = atom
        if kind == "item" and re.search(rf"\b{re.escape(str(rest[1]))}\b", self.said):
            return 3
        if kind in ("attribute", "others", "item"):
            return 3 * (re.search(rf"\b{re.escape(str(rest[0])).replace('_', '[_ ]')}", self.said, re.IGNORECASE) is not None)
        if kind == "given":
            return 3 * self.names_operand(atom)
        is_of_constants = kind == "operand" and value in (COMPUTED, WORKED_OUT, CONSTANT)
        words_of = OF_CONSTANTS if is_of_constants else WORDS_OF.get(str(kind))
        return int(words_of is not None and self.speaks(words_of))
