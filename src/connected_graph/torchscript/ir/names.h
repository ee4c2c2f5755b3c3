#pragma once

#include <torch/csrc/jit/ir/ir.h>

namespace model_validator::torchscript {

// The names of LibTorch that the front end is written in.
using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;
namespace aten = torch::jit::aten;
namespace attr = torch::jit::attr;
namespace prim = torch::jit::prim;

} // namespace model_validator::torchscript
