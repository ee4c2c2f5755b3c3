#pragma once

#include "partition/subgraph_contents.h"
#include "partition/torchscript/flat_module.h"
#include "partition/torchscript/memory.h"
#include "partition/torchscript/names.h"
#include "partition/torchscript/units.h"
#include "verify/flat_program/program_module.h"

#include <model_validator/error.h>
#include <model_validator/partition/partitionable_model.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace model_validator::partition {

/// What a flat graph returns, taken apart down to the values that operators make.
struct Returned {
  enum class Kind : std::uint8_t { value, none, tuple, list, dict };
  Kind kind = Kind::value;
  Value* value = nullptr;
  std::vector<std::string> keys; ///< of a dict, or the fields of a named tuple
  std::vector<Returned> items;
};

/// The values of a flat module by number. The op of each unit is filled in later.
struct ValueNumbers {
  std::vector<Value*> values;
  DataFlow flow;
};

/// A TorchScript module prepared for division: its ConnectedGraph, one flat graph of what runs, and
/// the op of each unit in it.
struct Program {
  torch::jit::Module source; ///< owns the classes that the graph names
  FlatModule flat;
  Returned result;
  std::unique_ptr<Units> units;
  std::unique_ptr<Memory> memory;
  ConnectedGraph graph;
  ValueNumbers numbers;
  Constraints constraints;
  /// Of a program that was recorded, the inputs of the run: it holds for their shapes alone.
  std::optional<std::vector<c10::IValue>> recorded;
  std::optional<Error> why_not; ///< there is no flat graph, only the ConnectedGraph
};

/// A module whose code is flat as it is written, or is recorded with the inputs. Of any other, and
/// of one that keeps state, there is only the ConnectedGraph. @throws Error
Program make_program(const torch::jit::Module& module, const OpenOptions& options);

/// A program of torch.export is flat as it is. @throws Error
Program make_program(verify::ProgramModule program, const OpenOptions& options);

/// Units that must not be separated, besides those that `Memory` reports: they pass on a value that
/// cannot enter or leave a file.
std::vector<std::vector<std::size_t>> bound_units(const Units& units);

/// Units whose order matters: they draw random numbers, or have side effects.
std::vector<std::pair<std::size_t, std::size_t>> ordered_units(const Units& units);

/// Whether each unit only queries sizes and numbers, or builds and unpacks lists and tuples.
std::vector<bool> query_units(const Units& units);

} // namespace model_validator::partition
