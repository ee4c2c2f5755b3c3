"""What is known of TorchScript's operators is said in one room: nobody else reads an operator's schema for what it writes or passes on.

Environment: PROJECT (folder).
"""

import os
import re
import unittest
from pathlib import Path

SOURCES = Path(os.environ["PROJECT"]) / "src"
ROOM = Path("connected_graph/torchscript/ir")

# What an answer is recognised by, and who else may give it.
FACTS = {
    r"alias_info\(|isWrite\(|is_mutable\(": {
        "migrate/code_document.cpp",  # passes on what schemas say
        "partition/torchscript/shared_memory.cpp",  # asks which arguments are annotated at all
    },
    r"AliasDb": {
        # Which values of one graph share memory, and are written into, is torch's own answer.
        "partition/torchscript/memory.cpp", "partition/torchscript/memory.h", "verify/run/recording_check.cpp",
        "verify/run/fresh_copy.cpp",
    },
    r"toStringRef\(\) == \w+\.toStringRef\(\)": set(),
    r"toInt\(\) == \w+\.toInt\(\)": set(),
    r"isNondeterministic\(": {"partition/torchscript/unit_bonds.cpp"},  # whether the order of two units counts
}


class Facts(unittest.TestCase):
    def test_only_the_room_answers(self):
        for fact, others in FACTS.items():
            found = {str(file.relative_to(SOURCES)) for file in SOURCES.rglob("*.*") if file.suffix in (".cpp", ".h")
                     and ROOM not in file.relative_to(SOURCES).parents and re.search(fact, file.read_text())}
            with self.subTest(fact=fact):
                self.assertEqual(found, others)


if __name__ == "__main__":
    unittest.main()
