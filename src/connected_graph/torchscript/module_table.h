#pragma once

#include "connected_graph/torchscript/file/stated_values.h"

#include <model_validator/graph_builder.h>

#include <torch/csrc/jit/api/module.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace model_validator::torchscript {

/// The modules and parameters of a TorchScript module, added to a graph: once for each object of
/// the file, with its path. A module that Python knows under several paths is several objects of
/// the file; `aliases.h` merges them.
class ModuleTable {
public:
  ModuleTable(const torch::jit::Module& root, GraphBuilder& graph, const UnsetObjects& unset);

  /// The module of an object; `none` for an object that is not part of the hierarchy.
  ModuleId id_of(const c10::ivalue::Object& object) const;
  /// The weights that an object packs.
  const std::vector<ParameterId>& packed_in(const c10::ivalue::Object& object) const;
  /// The parameter or buffer of an object's attribute; `none` if it holds no tensor.
  ParameterId parameter_of(const c10::ivalue::Object& object, const std::string& attribute) const;
  /// A tensor that a module holds outside its parameters, for instance in a list.
  ParameterId add_tensor(ModuleId module, const std::string& name, const at::Tensor& tensor);

private:
  void add(const c10::ivalue::Object& object, const std::string& path, ModuleId parent);
  void add_attributes(const c10::ivalue::Object& object, ModuleId module);
  void add_packed(const c10::ivalue::Object& object, ModuleId holder);
  void add_packed(const c10::IValue& state, ModuleId owner, std::vector<ParameterId>& packed);
  std::uint64_t storage_of(const at::Tensor& tensor);

  GraphBuilder& graph_;
  std::unordered_map<const c10::ivalue::Object*, ModuleId> modules_;
  std::unordered_map<const c10::ivalue::Object*, std::map<std::string, ParameterId>> parameters_;
  std::unordered_map<const void*, std::uint64_t> storages_;
  std::unordered_map<const c10::ivalue::Object*, const c10::IValue*> states_;
  std::unordered_map<const c10::ivalue::Object*, std::vector<ParameterId>> packed_;
  std::unordered_set<const at::TensorImpl*> entered_;
  /// What torch moves, saves and trains: whether each tensor is a parameter, a buffer or neither.
  std::set<std::string> kinds_;
};

} // namespace model_validator::torchscript
