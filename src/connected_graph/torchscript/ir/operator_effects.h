#pragma once

#include "connected_graph/torchscript/ir/names.h"

#include <cstddef>
#include <vector>

namespace model_validator::torchscript {

/// What a node does with one of its inputs.
enum class Use {
  reads,     ///< also for the language's own nodes, without a schema
  writes,    ///< changes it in place
  passes_on, ///< yields a view of it
};
Use use_of(const Node& node, std::size_t input);

/// Whether an operator writes into one of its arguments.
bool writes(const c10::FunctionSchema& schema, std::size_t argument);
/// Whether a node writes into one of its inputs, or into any.
bool writes(const Node& node, std::size_t input);
bool writes(const Node& node);
/// The inputs that a node writes into.
std::vector<Value*> written_inputs(Node& node);

/// Whether a result of an operator may be one of its arguments, or share memory with it.
bool returns_memory(const c10::FunctionSchema& schema);
/// Whether a result of an operator is a tensor of its own.
bool makes_tensors(const c10::FunctionSchema& schema);
/// Whether the output of a node shares memory with its first input.
bool is_view(const Node& node);

/// Whether a node makes a list, tuple or dict of its inputs.
bool builds(const Node& node);
/// Whether a node only picks what its first input holds, or is.
bool picks(const Node& node);

/// Whether a node says what size, dtype, layout or device its first input has.
bool describes(const Node& node);
/// Whether a node makes a new tensor, as large as its first input or of the same dtype, with none
/// of its numbers.
bool makes_alike(const Node& node);

/// Whether a node yields the same whenever its inputs are the same.
bool is_deterministic(const Node& node);

} // namespace model_validator::torchscript
