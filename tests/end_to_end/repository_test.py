"""What docs/security.md promises about a hostile repository, tried on the program: it runs in the repository's folder, on a model
that is harmless, with a token in its environment.

Environment: PROGRAM (the built program).
"""

import json
import os
import shutil
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

import hostile_files as hostile
from hostile_files import node
from hostile_test import InFolder

SECRET = "s3cr3t-of-the-user"
IS_ROOT = os.geteuid() == 0
OTHER = 4711


class Repository(InFolder):
    def setUp(self):
        super().setUp()
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.home = Path(temporary.name)
        (self.home / "secret.toml").write_text(f'token = "{SECRET}"\n')
        (self.home / "key").write_text(f"{SECRET}\n")
        (self.home / "profile").write_text("as it was\n")
        hostile.torchscript(self.folder / "model.pt")

    def link(self, name, target):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
        return name

    def outside(self):
        """What a path in the repository says that leads to a file of the user."""
        yield str(self.home / "profile")
        yield os.path.relpath(self.home / "profile", self.folder)
        yield "sub/../" + os.path.relpath(self.home / "profile", self.folder)
        yield self.link(f"link{len(list(self.folder.iterdir()))}", self.home / "profile")
        yield self.link(f"folder{len(list(self.folder.iterdir()))}", self.home) + "/profile"

    def assert_home_as_it_was(self):
        self.assertEqual(sorted(path.name for path in self.home.iterdir()), ["key", "profile", "secret.toml"])
        self.assertEqual((self.home / "profile").read_text(), "as it was\n")

    def refused(self, *arguments, about):
        result = self.run_program(*arguments)
        self.assertEqual(result.status, 2, result.out + result.err)
        self.assertIn(about, result.out + result.err)
        self.assertNotIn(SECRET, result.out + result.err)
        return result


class Configuration(Repository):
    def test_a_baseline_is_written_in_the_repository_only(self):
        for path in self.outside():
            with self.subTest(path):
                self.put("model_validator.toml", f"baseline = {json.dumps(path)}\n")
                self.refused("check", "--write-baseline", "model.pt", about="outside the folder")
        self.link("new.json", self.home / "new.json")
        self.put("model_validator.toml", 'baseline = "new.json"\n')
        self.refused("check", "--write-baseline", "model.pt", about="outside the folder")
        self.assert_home_as_it_was()
        self.put("model_validator.toml", 'baseline = "known.json"\n')
        self.assertEqual(self.run_program("check", "--write-baseline", "model.pt").status, 0)
        self.assertTrue((self.folder / "known.json").exists())

    def test_nothing_else_is_read_outside(self):
        for setting in ("extend = {}", "profile = {}", "profile = [{}]", "[[per-file]]\nfiles = 'm*'\nprofile = {}"):
            for path in [*self.outside(), str(self.home / "secret.toml"), self.link("s" + str(abs(hash(setting))), self.home / "secret.toml")]:
                with self.subTest(setting=setting, path=path):
                    self.put("model_validator.toml", setting.format(json.dumps(path)) + "\n")
                    self.refused("check", "model.pt", about="outside the folder")
        self.put("model_validator.toml", '[fix.source-root]\n"/build" = ".."\n')
        self.refused("check", "model.pt", about="outside the folder")

    def test_one_that_is_named_may_name_anything(self):
        self.put("sub/mine.toml", 'baseline = "../known.json"\n')
        self.assertEqual(self.run_program("check", "--config", "sub/mine.toml", "--write-baseline", "model.pt").status, 0)
        self.assertTrue((self.folder / "known.json").exists())

    def test_a_link_to_a_file_of_the_user_is_not_taken(self):
        for name in ("model_validator.toml", "pyproject.toml"):
            self.link(name, self.home / "secret.toml")
            result = self.run_program("check", "model.pt")
            self.assertNotIn("token", result.out + result.err.replace(str(self.folder), ""))
            self.assertEqual("out of its folder" in result.err, name == "model_validator.toml")
            (self.folder / name).unlink()

    def test_the_log_says_which_one_was_taken(self):
        self.put("model_validator.toml", 'fail-on = "error"\n')
        self.assertIn(f"settings are taken from {self.folder.resolve()}/model_validator.toml", self.run_program("check", "model.pt").err)
        self.assertNotIn("settings are taken", self.check("model.pt").err)

    @unittest.skipUnless(IS_ROOT, "only root can make files of another user")
    def test_one_of_another_user_is_passed_over_with_a_word(self):
        self.put("model_validator.toml", 'fail-on = "never"\n')
        os.chown(self.folder / "model_validator.toml", OTHER, OTHER)
        for models in (["model.pt"], ["model.pt", "./model.pt"]):
            result = self.run_program("check", *models)
            self.assertEqual(result.status, 1)
            self.assertIn("belongs to another user", result.err)

    def test_one_in_a_folder_that_everybody_shares_is_not_taken(self):
        self.put("model_validator.toml", 'fail-on = "never"\n')
        self.put("own/a/model.pt", (self.folder / "model.pt").read_bytes())
        self.assertEqual(self.run_program("check", "own/a/model.pt").status, 0)
        self.folder.chmod(0o1777)
        self.assertEqual(self.run_program("check", "own/a/model.pt").status, 1)

    def test_settings_cost_what_they_are_worth(self):
        for settings in ("target = [" + '"onnx", ' * 12000 + "]\n", "opset = 4294967313\n",
                         '[[suppress]]\nrule = "GRA"\nmodule = "a*"\nreason = "b"\n' * 20000, '[[suppress]]\nrule = "GRA"\nreason = "b"\n' * 300000):
            self.put("model_validator.toml", settings)
            result = self.run_program("check", "model.pt")
            self.assertLess(result.megabytes, 500)
            self.assertIn(result.status, (0, 1, 2))
            self.assertEqual(result.status == 2, "opset" in settings or "suppress" in settings)


class Options(Repository):
    def test_a_file_is_no_option(self):
        hostile.torchscript(self.folder / "x.pt")
        data = (self.folder / "x.pt").read_bytes()
        for name in ("--op-library=x.onnx", "--output-file=x.onnx", "--config=x.onnx", "--plugin=x.onnx", "-j9.onnx", "--op-library=./x.onnx",
                     "--sandbox=off"):
            with self.subTest(name):
                self.put(name, data)
                self.refused("check", name, "model.pt", about="both an option and the name of a file")
                self.refused(name, about="both an option and the name of a file")
                result = self.run_program("check", "--isolated", "--", name)
                self.assertIn(result.status, (0, 1), result.err)
                shutil.rmtree(self.folder / name) if (self.folder / name).is_dir() else (self.folder / name).unlink()

    def test_code_is_loaded_by_a_path(self):
        for command in ("check", "graph", "inspect", "partition", "fix"):
            result = self.refused(command, "--op-library", "lib.so", "model.pt", about="has no slash")
            self.assertIn("./lib.so", result.err)
        self.refused("check", "--op-library", "./lib.so", "model.pt", about="no such operator library")


class Links(Repository):
    def report(self, file):
        """On an operator that the file says comes from line 1 of another."""
        meta = {"pkg.torch.onnx.name_scopes": repr(["", "erf"]), "pkg.torch.onnx.stack_trace": f'File "{file}", line 1, in forward\n',
                "pkg.torch.onnx.class_hierarchy": repr(["M", "aten.erf.default"])}
        self.put("m.onnx", hostile.onnx([node("Erf", ["x"], ["y"], "e", "", meta)]))
        result = self.check("m.onnx")
        self.assertIn(file + ":1", result.out)
        return result.out + result.err

    def test_source_is_python_in_the_working_folder(self):
        self.put("net.py", "a_line_of_the_user = 1\n")
        self.put("token.txt", SECRET + "\n")
        self.link("notes.py", self.home / "key")
        self.link("token.py", "token.txt")
        self.link("folder", self.home)
        (self.home / "own.py").write_text(SECRET + "\n")
        self.assertIn("a_line_of_the_user", self.report("net.py"))
        for file in ("notes.py", str(self.folder / "notes.py"), "token.py", "folder/own.py", str(self.home / "own.py"), "./notes.py",
                     os.path.relpath(self.home / "own.py", self.folder)):
            with self.subTest(file):
                self.assertNotIn(SECRET, self.report(file))

    def test_no_model_in_a_folder_is_skipped(self):
        self.put("in/good.onnx", hostile.onnx([node("Erf", ["x"], ["y"])]))
        self.assertIn(self.check("in").status, (0, 1))
        self.link("in/gone.onnx", "nowhere")
        result = self.check("in")
        self.assertEqual(result.status, 2)
        self.assertIn("gone.onnx", result.out + result.err)
        (self.folder / "in/gone.onnx").unlink()
        os.mkfifo(self.folder / "in/pipe.onnx")
        self.assertEqual(self.check("in").status, 2)
        (self.folder / "in/pipe.onnx").unlink()
        self.link("in/folder.onnx", self.home)
        self.assertEqual(self.check("in").status, 2)

    @unittest.skipUnless(IS_ROOT, "only root can make files of another user")
    def test_links_that_lead_to_themselves(self):
        for name in ("loop.json", "loop.toml", "loop.pt", "model_validator.toml"):
            (self.folder / name).symlink_to(name)
        (self.folder / "loop").symlink_to("loop")
        for arguments in (["--config", "loop.toml"], ["--config", "loop/a.toml"], ["--baseline", "loop.json"],
                          ["--baseline", "loop.json", "--write-baseline"], ["--baseline", "loop/a.json", "--write-baseline"],
                          ["--output-file", "loop.json"], ["--output-file", "loop/a.json"], ["--profile", "loop.toml"], ["loop.pt"],
                          ["loop/a.pt"], ["--config", "/dev/fd/0"], ["--findings-of", "loop.json"]):
            with self.subTest(arguments):
                found = [] if "--config" in arguments else ["--isolated"]
                result = self.run_program("check", *found, *arguments, "model.pt", stdin=subprocess.PIPE)
                self.assertEqual(result.status, 2, result.err)
                self.assertIn("error: ", result.err + result.out)
                self.assertTrue((self.folder / "loop.json").is_symlink())
        self.assertEqual(self.run_program("check", "model.pt").status, 1)

    def test_a_report_is_not_written_through_a_link_of_another_user(self):
        self.folder.chmod(0o1777)
        os.chown(self.folder, OTHER + 1, OTHER + 1)
        self.link("report.json", self.home / "profile")
        os.lchown(self.folder / "report.json", OTHER, OTHER)
        result = self.check("--output-file", "report.json", "model.pt")
        self.assertEqual(result.status, 2)
        self.assertIn("another user", result.err)
        self.assert_home_as_it_was()


class Emitted(Repository):
    def setUp(self):
        super().setUp()
        self.put("chip.toml", '[target]\nname = "chip"\n[operators]\n"aten::relu" = 0\n')

    def emit(self, folder, *options):
        return self.run_program("partition", "--profile", "chip.toml", "--emit", folder, *options, "model.pt")

    def test_what_is_not_ours_is_not_removed(self):
        theirs = self.home / "theirs"
        theirs.mkdir()
        (theirs / "thesis").write_text("mine")
        for manifest in ("{}", '{"schema": "model_validator-subgraphs/1"}'):
            (theirs / "manifest.json").write_text(manifest)
            for name in (self.link(f"out{len(manifest)}", theirs), str(theirs)):
                for end in ("", "/", "/."):
                    self.assertEqual(self.emit(name + end, "--force").status, 2)
                    self.assertEqual(self.emit(name + end).status, 2)
        self.assertEqual((theirs / "thesis").read_text(), "mine")

    def test_what_was_written_is_replaced_and_what_was_added_stays(self):
        self.assertEqual(self.emit("out").status, 0)
        self.assertEqual(self.emit("out", "--force").status, 0)
        self.link("out/extra", self.home)
        self.assertEqual(self.emit("out", "--force").status, 2)
        self.assertTrue((self.folder / "out/extra").is_symlink())
        (self.folder / "out/extra").unlink()
        self.link("link", "out")
        self.assertEqual(self.emit("link", "--force").status, 2)
        self.assertEqual(self.emit("out", "--force").status, 0)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith("out.")], [])
        self.assertTrue(stat.S_ISDIR((self.folder / "out").lstat().st_mode))


if __name__ == "__main__":
    unittest.main()
