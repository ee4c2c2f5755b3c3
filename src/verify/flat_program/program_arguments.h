#pragma once

#include "connected_graph/exported_program/program_file.h"

#include <ATen/core/jit_type.h>
#include <torch/csrc/jit/ir/ir.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator::verify {

/// The values of one graph of a program, by name.
using ProgramScope = std::unordered_map<std::string, torch::jit::Value*>;

/// LibTorch's dtype for the number of torch.export's schema.
std::optional<c10::ScalarType> scalar_type_of(int number);

/// An argument of a node as a value of the graph; constants are inserted.
/// @param argument  the union that the schema calls `Argument`
/// @param expected  what the operator declares; null where it declares nothing
/// @throws Error (`not-runnable`) for an argument that LibTorch has no value for,
/// (`damaged-exported-program`) for a name that nothing defines
torch::jit::Value* value_of(torch::jit::Graph& graph, const exported_program::Json& argument,
                            const c10::TypePtr& expected, const ProgramScope& scope);

/// All that an argument holds, in order: the elements of a list, else itself.
std::vector<torch::jit::Value*> values_of(torch::jit::Graph& graph,
                                          const exported_program::Json& argument,
                                          const ProgramScope& scope);

/// The names of what an output of a node holds: of a list, its elements'; of `None`, none.
std::vector<std::string> names_in(const exported_program::Json& output);

} // namespace model_validator::verify
