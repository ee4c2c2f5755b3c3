#pragma once

#include "partition/torchscript/names.h"

#include <torch/csrc/jit/api/module.h>

#include <memory>

namespace model_validator::partition {

/// A program as one graph without calls, a method of one module whose attributes are the weights.
/// A weight shared by several modules is one attribute.
struct FlatModule {
  torch::jit::Module module = torch::jit::Module("Whole");
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
};

/// Evaluates what is known and removes what no result needs. Nothing is run except arithmetic on
/// known numbers.
void simplify(FlatModule& flat);

/// Makes attributes of the flat module of what its graph reads of another one, and of the modules
/// in that; of numbers and words, constants.
void read_attributes(FlatModule& flat, const torch::jit::Module& module);

/// @throws Error (`cannot-flatten`) for a graph that does not show each tensor that passes between
/// its operators: it branches, calls what it chooses, or changes objects, lists or dicts
void require_flat(const Graph& graph);

/// A program of torch.export, whose graph has no calls.
FlatModule take_program(const torch::jit::Module& program);

} // namespace model_validator::partition
