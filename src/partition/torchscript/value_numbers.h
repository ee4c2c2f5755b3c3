#pragma once

#include "partition/piece_contents.h"
#include "partition/torchscript/program.h"

#include <unordered_map>
#include <vector>

namespace model_validator::partition {

/// The values of a program by number.
struct ValueNumbers {
  std::vector<torch::jit::Value*> values;
  std::unordered_map<const torch::jit::Value*, ValueNumber> numbers;
  DataFlow flow;
};

ValueNumbers number_values(const Program& program);

} // namespace model_validator::partition
