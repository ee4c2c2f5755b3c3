"""The words that options take and results hold, as types."""

from __future__ import annotations

from typing import Literal

Severity = Literal["error", "warning", "info"]
SeverityOrOff = Literal["error", "warning", "info", "off"]
FailOn = Literal["error", "warning", "info", "never"]
Preset = Literal["quantise", "deploy"]
Sandbox = Literal["auto", "require", "off"]
Fallback = Literal["eager", "ts", "none"]
Export = Literal["trace", "script", "export"]
Engine = Literal["local", "ray"]

Format = Literal["torchscript", "onnx", "exported-program"]
OpKind = Literal["module", "functional", "query", "control_flow", "input", "output", "constant"]
Applicability = Literal["safe", "unsafe"]
SuppressedBy = Literal["config", "inline", "baseline", "fix"]
CheckStatus = Literal["passed", "failed", "crashed", "not-judged"]
Verdict = Literal["same-fingerprint", "same-structure", "different-structure"]
