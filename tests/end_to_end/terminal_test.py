"""What only shows on a terminal: completion in real shells, the progress bar, Ctrl-C.

Environment: PROGRAM (the built program), MODELS (the generated models).
"""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from terminal import Terminal

PROGRAM = Path(os.environ["PROGRAM"])
MODELS = Path(os.environ["MODELS"])
PROMPT = "ready> "


class OnATerminal(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.environment = {"PATH": os.pathsep.join([str(PROGRAM.parent), os.environ["PATH"]]), "HOME": str(self.folder),
                            "TERM": "xterm", "LC_ALL": "C.UTF-8", "PS1": PROMPT, "HISTFILE": ""}

    def terminal(self, *command):
        terminal = Terminal(command, self.folder, self.environment)
        self.enterContext(terminal)
        return terminal


class Completion(OnATerminal):
    """A line is typed with a tab at its end; a key of the test's own, ctrl-T, then shows what stands there."""

    def save_completion(self, shell, file):
        file.parent.mkdir(exist_ok=True)
        file.write_text(subprocess.run([PROGRAM, "completion", shell], capture_output=True, text=True, check=True).stdout)

    def start(self, *command):
        shell = self.terminal(*command)
        shell.wait_for(PROMPT)
        return shell

    def bash(self):
        self.save_completion("bash", self.folder / "completion.bash")
        (self.folder / "bashrc").write_text(f"""PS1='{PROMPT}'
bind -x '"\\C-t":echo "<$READLINE_LINE>"'
source completion.bash
""")
        return self.start("bash", "--rcfile", "bashrc", "-i")

    def zsh(self):
        self.save_completion("zsh", self.folder / "functions" / "_model_validator")
        (self.folder / ".zshrc").write_text(f"""PS1='{PROMPT}'
show() {{ zle -I; print -r -- "<$BUFFER>" }}
zle -N show
bindkey '^T' show
fpath=($HOME/functions $fpath)
autoload -Uz compinit
compinit -u
""")
        return self.start("zsh", "-i")

    def completed(self, shell, typed):
        shell.type("\x15" + typed + "\t")  # ctrl-U takes away what stood there
        shell.type("\x14")
        line = re.search("<([^>]*)>$", shell.wait_for("<model_validator[^>]*>"))[1]
        shell.wait_for(PROMPT)  # until then keys are the terminal's, not the shell's
        return line

    def check(self, shell):
        (self.folder / "my model.pt").touch()
        for typed, expected in [
            ("model_validator gra", "model_validator graph "),
            ("model_validator check --fail-on er", "model_validator check --fail-on error "),
            ("model_validator --output-format=sar", "model_validator --output-format=sarif "),
            ("model_validator m.pt --ignore old-format,reused-m", "model_validator m.pt --ignore old-format,reused-modules"),
            ("model_validator graph --for", "model_validator graph --format "),
            ("model_validator check my", r"model_validator check my\ model.pt "),
            (r"model_validator my\ m", r"model_validator my\ model.pt "),
        ]:
            with self.subTest(typed):
                self.assertEqual(self.completed(shell, typed).rstrip(" =,"), expected.rstrip())
        shell.type("\x15model_validator --color \t\t")
        shown = shell.wait_for("never")
        for choice in ("auto", "always"):
            self.assertIn(choice, shown)

    def test_bash(self):
        self.check(self.bash())

    def test_zsh(self):
        self.check(self.zsh())


class ManyFiles(OnATerminal):
    def link_models(self, count):
        (self.folder / "models").mkdir()
        for number in range(count):
            (self.folder / "models" / f"{number}.pt").symlink_to(MODELS / "resnet18.traced.pt")

    def test_a_bar_shows_how_far_a_run_has_come_and_goes_at_the_end(self):
        self.link_models(12)
        run = self.terminal(PROGRAM, "check", "--isolated", "--select", "old-format", "models")
        run.wait_for(r"\r1/12 \[##* +\]")
        run.wait_for(r"\r11/12 \[#+ +\]\r\x1b\[K")
        self.assertEqual(run.finish(), 0)
        self.assertNotIn("12/12", run.output)
        self.assertIn("12 models", run.output)

    def test_quiet_shows_no_bar(self):
        self.link_models(12)
        run = self.terminal(PROGRAM, "check", "-q", "--isolated", "--select", "old-format", "models")
        self.assertEqual(run.finish(), 0)
        self.assertEqual(run.output, "")

    def test_a_line_says_what_a_verification_is_doing_and_goes_at_the_end(self):
        model = MODELS / "resnet18.traced.pt"
        run = self.terminal(PROGRAM, "verify", "--no-lint", model, model, "--input", "1x3x64x64")
        run.wait_for(r"\r\x1b\[Krunning the reference …")
        run.wait_for(r"\r\x1b\[Krunning the candidate …")
        self.assertEqual(run.finish(), 0)
        self.assertRegex(run.output, r"comparing the results …\r\x1b\[Kcomparing ")

    def interrupt(self, *options):
        """Interrupts a run over very many files once some are done."""
        self.link_models(3000)
        run = self.terminal(PROGRAM, "check", "--isolated", "--select", "reused-modules", "--output-format", "concise",
                            *options, "models")
        shown = run.wait_for(r"\r[2-9]/3000 \[")
        self.assertIn("reused-modules", shown)
        run.type("\x03")
        self.assertEqual(run.finish(), 130)
        self.assertRegex(run.output, r"interrupted with \d+ files to go")

    def test_ctrl_c_ends_a_run_and_reports_what_is_finished(self):
        self.interrupt("-j", "1")

    def test_ctrl_c_ends_a_run_of_processes_as_well(self):
        self.interrupt("-j", "2", "--timeout", "600")


if __name__ == "__main__":
    unittest.main()
