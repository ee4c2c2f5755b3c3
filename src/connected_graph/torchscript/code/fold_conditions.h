#pragma once

#include "connected_graph/torchscript/ir/names.h"

#include <torch/csrc/jit/api/module.h>

#include <optional>

namespace model_validator::torchscript {

/// What a node yields, if that follows from constants and the types of its inputs.
std::optional<c10::IValue> value_of_constants(const Node& node);

/// Removes from a graph the branches that constants and the types of values rule out: `is None` of
/// a value that cannot be, comparisons of known numbers. Also removes casts that change no type,
/// and tuples, lists and dicts that are unpacked where they were made. Evaluates only operators
/// that cannot yield more than a machine word.
void fold_by_types(Graph& graph);

/// The same by the scalar attributes of the graph's module, such as `self.training`, like a
/// converter that knows no strings and no `None`: tests of those stay, and so do attributes that
/// the model sets itself.
void fold_by_attributes(Graph& graph, const torch::jit::Module& self);

/// The same by all that freezing the module decides: strings and `None` as well.
void fold_frozen(Graph& graph, const torch::jit::Module& self);

} // namespace model_validator::torchscript
