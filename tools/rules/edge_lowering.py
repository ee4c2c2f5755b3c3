"""What ExecuTorch's XNNPACK partitioner leaves of a program, without compiling anything."""
from __future__ import annotations

import contextlib
from typing import ClassVar

import edge_names
import torch
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
from executorch.exir import EdgeCompileConfig, to_edge_transform_and_lower


class AnsweredError(Exception):
    """The answer is known, so there is no need to go on."""


class Recorder(XnnpackPartitioner):
    """Keeps the program that the partitioner is shown, and the nodes that it would take."""
    program = None
    taken: ClassVar[set[str]] = set()

    def partition(self, exported_program):
        self.program = exported_program
        self.taken = {node.name for match in self.get_matched_nodes_from_configs(exported_program) for node in match}
        raise AnsweredError


def edge_name(target) -> str | None:
    """As the program spells the operator; nothing for a Python function."""
    target = target if isinstance(target, torch._ops.OpOverload) else getattr(target, "_op", None)
    if not isinstance(target, torch._ops.OpOverload):
        return None
    return f"aten::{edge_names.program_name(str(target).partition('.')[2])}".removesuffix(".default")


def lower(exported) -> tuple:
    """The program that the partitioner sees, and a function node -> the operator that is left there, or nothing."""
    recorder = Recorder()
    with contextlib.suppress(AnsweredError):
        to_edge_transform_and_lower(exported, partitioner=[recorder], compile_config=EdgeCompileConfig(_check_ir_validity=False))
    return recorder.program, lambda node: None if node.name in recorder.taken else edge_name(node.target)
