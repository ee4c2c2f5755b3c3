"""Each room includes, and each built file needs, what walls.toml allows; no rooms include each other in a circle.

Environment: PROJECT, BUILD (folders).
"""

import graphlib
import os
import re
import subprocess
import unittest
from pathlib import Path

import tomllib

PROJECT, BUILD = Path(os.environ["PROJECT"]), Path(os.environ["BUILD"])
WALLS = tomllib.loads((Path(__file__).parent / "walls.toml").read_text())
PUBLIC = "include/model_validator"


def includes():
    """Room, file, and what it includes."""
    for base, prefix in (("src", ""), (PUBLIC, "include/")):
        for file in (PROJECT / base).rglob("*"):
            if file.suffix in (".h", ".cpp"):
                room = (prefix + str(file.relative_to(PROJECT / base).parent)).removesuffix("/.")
                for included in re.findall(r'^#include [<"]([^>"]+)', file.read_text(), re.MULTILINE):
                    yield room, file.relative_to(PROJECT), included


def room_of(included):
    """The room that a header of the project lies in; None for another's."""
    if included.startswith("model_validator/"):
        return "include" + str(Path(included).parent).removeprefix("model_validator")
    return str(Path(included).parent) if (PROJECT / "src" / included).is_file() else None


class Walls(unittest.TestCase):
    def test_rooms_include_what_they_may(self):
        for room, file, included in includes():
            other = room_of(included)
            with self.subTest(file=str(file), included=included):
                self.assertIn(room, WALLS["rooms"], "a room that walls.toml does not know")
                if other not in (None, room):
                    self.assertIn(other, WALLS["rooms"][room])

    def test_packages_stay_in_their_rooms(self):
        for room, file, included in includes():
            for package, rooms in WALLS["packages"].items():
                if re.match(package, included):
                    self.assertIn(room, rooms, f"{file} includes {included}")

    def test_rooms_stand_in_no_circle(self):
        graphlib.TopologicalSorter(WALLS["rooms"]).prepare()

    def test_nothing_is_allowed_that_is_not_used(self):
        used = {(room, room_of(included)) for room, _, included in includes()}
        allowed = {(room, other) for room, others in WALLS["rooms"].items() for other in others}
        self.assertEqual(sorted(allowed - used), [])

    @unittest.skipIf(os.environ["SANITIZED"] == "1", "the sanitizers keep what would be left out")
    def test_built_files_need_what_they_may(self):
        for start, unwanted in WALLS["libraries"].items():
            built = [file for folder in ("bin", "lib") for file in (BUILD / folder).rglob(f"{start}*") if file.is_file()]
            self.assertTrue(built, start)
            for file in built:
                table = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
                needed = re.findall(r"\(NEEDED\).*\[(.*)\]", table)
                self.assertTrue(needed, file)
                self.assertEqual([name for name in needed if re.match(unwanted, name)], [], file)

    @unittest.skipIf(os.environ["SANITIZED"] == "1", "the sanitizers add their own")
    def test_the_library_shows_its_own_symbols_only(self):
        table = subprocess.run(["nm", "-DC", "--defined-only", BUILD / "lib" / "libmodel_validator.so"],
                               capture_output=True, text=True, check=True).stdout
        others = [line for line in table.splitlines() if not re.search(r" (mv_\w+$|.*(model_validator|onnx)::)", line)]
        self.assertEqual(others, [])


if __name__ == "__main__":
    unittest.main()
