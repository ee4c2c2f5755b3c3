#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>

namespace model_validator::torchscript {

/// What a node yields, where that follows from constants and the types of its inputs.
std::optional<c10::IValue> value_of_constants(const torch::jit::Node& node);

/// Leaves out of a graph the arms that constants and the types of values rule out: `is None` of
/// what cannot be, comparisons of known numbers. Casts that change no type go as well, and tuples,
/// lists and dicts that are taken apart where they were made. Only such operators are evaluated as
/// cannot yield more than a machine word.
void fold_by_types(torch::jit::Graph& graph);

/// The same by the scalar attributes of the module that the graph is a method of, `self.training`,
/// as a converter does it that knows no strings and no `None`: questions about those stay, and so
/// do attributes that the model sets itself.
void fold_by_attributes(torch::jit::Graph& graph, const torch::jit::Module& self);

/// The same by all that freezing the module decides: strings and `None` as well.
void fold_frozen(torch::jit::Graph& graph, const torch::jit::Module& self);

} // namespace model_validator::torchscript
