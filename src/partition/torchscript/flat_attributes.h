#pragma once

#include "partition/torchscript/names.h"

#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace model_validator::partition {

/// A valid Python identifier for a text.
std::string identifier(const std::string& text);

/// The same range of the same storage: a shared weight.
using TensorIdentity = std::tuple<const void*, std::int64_t, std::vector<std::int64_t>,
                                  std::vector<std::int64_t>, c10::ScalarType>;
TensorIdentity identity_of(const at::Tensor& tensor);

/// The attributes of the one module that a flat graph is a method of.
class FlatAttributes {
public:
  /// @param graph  its first input is the module
  FlatAttributes(torch::jit::Module& module, Graph& graph) : module_(module), graph_(graph) {}

  /// What a graph reads, at its start; of one tensor, one value.
  /// @param path  where the model has it: `layer1.0.conv1.weight`
  Value* read(const std::string& path, const c10::IValue& value, const c10::TypePtr& type);

private:
  std::string add(const std::string& path, const c10::IValue& value, const c10::TypePtr& type);

  torch::jit::Module& module_;
  Graph& graph_;
  std::map<TensorIdentity, Value*> tensors_;
  std::map<std::string, Value*> others_;
};

} // namespace model_validator::partition
