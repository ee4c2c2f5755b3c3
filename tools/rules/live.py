"""The operators of a TorchScript graph whose values reach an output, as the program itself counts them."""
from __future__ import annotations

import torch


def use_of(node, index: int) -> str:
    """`reads`, `writes`, or `passes on` (into a view) one of its inputs."""
    text = node.schema()
    if text == "(no schema)":
        return "reads"
    arguments = torch._C.parse_schema(text).arguments
    alias = arguments[index].alias_info if index < len(arguments) else None
    return "reads" if alias is None else "writes" if alias.is_write else "passes on"


class Liveness:
    def __init__(self, graph):
        self.values, self.followed, self.owner, self.nodes, self.pending = set(), set(), {}, {}, []
        self.number(graph, None)
        for value in graph.outputs():
            self.push(value)
        while self.pending:
            value = self.pending.pop()
            if value.node().kind() != "prim::Param":
                self.mark(value.node())
            self.mark_writers(value)

    @staticmethod
    def key(node):
        outputs = [o.unique() for o in node.outputs()]
        return outputs[0] if outputs else (node.kind(), *(i.unique() for i in node.inputs()))

    def number(self, block, owner):
        for node in block.nodes():
            self.owner[self.key(node)] = owner
            for inner in node.blocks():
                self.number(inner, node)

    def push(self, value):
        if value.unique() not in self.values:
            self.values.add(value.unique())
            self.pending.append(value)

    def mark(self, node):
        while node is not None and self.key(node) not in self.nodes:
            self.nodes[self.key(node)] = node
            for value in node.inputs():
                self.push(value)
            for block in node.blocks():
                for value in block.outputs():
                    self.push(value)
            node = self.owner[self.key(node)]

    def mark_writers(self, value):
        views = [value]
        while views:
            view = views.pop()
            if view.unique() in self.followed:
                continue
            self.followed.add(view.unique())
            for use in view.uses():
                how = use_of(use.user, use.offset)
                if how == "writes":
                    self.mark(use.user)
                elif how == "passes on":
                    views.extend(use.user.outputs())


def kinds(graph) -> set[str]:
    """Names without overload, of nested blocks too; constants are not operators."""
    return {n.kind() for n in Liveness(graph).nodes.values()} - {"prim::Constant"}
