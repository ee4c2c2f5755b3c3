#include "connected_graph/torchscript/module_table.h"

#include "connected_graph/name_limit.h"
#include "connected_graph/op_type.h"
#include "connected_graph/torchscript/code/attribute_value.h"
#include "connected_graph/torchscript/file/tensor_type.h"
#include "connected_graph/torchscript/python_names.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t max_hierarchy_depth = 512;

std::size_t depth_of(const ConnectedGraph& graph, ModuleId module) {
  std::size_t depth = 0;
  for (; module != none; module = graph.module(module).parent) ++depth;
  return depth;
}

std::string join(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

std::string class_name_of(const c10::ClassType& type) {
  return python_name(type.name() ? type.name()->qualifiedName() : "");
}

std::vector<c10::TypePtr> children_of(const c10::TypePtr& module) {
  std::vector<c10::TypePtr> children;
  if (const auto type = module->cast<c10::ClassType>())
    for (const c10::ClassAttribute& attribute : type->getAttributes())
      if (attribute.getType()->is_module()) children.push_back(attribute.getType());
  return children;
}

bool is_packed(const c10::TypePtr& module) {
  const auto type = module->cast<c10::ClassType>();
  return type && holds_packed_weights(class_name_of(*type));
}

/// Whether a module only keeps weights for its parent, itself or as a list of such modules.
bool keeps_weights(const c10::TypePtr& module) {
  const auto children = children_of(module);
  return is_packed(module) ||
         (!children.empty() && std::all_of(children.begin(), children.end(), is_packed));
}

/// A quantized module of torch is a leaf although its weights are packed into modules beneath it.
bool is_leaf(const c10::TypePtr& module) {
  const auto children = children_of(module);
  return std::all_of(children.begin(), children.end(), keeps_weights);
}

/// Kernels refuse a buffer that requires a gradient; a parameter may or may not.
std::string kind_of(const c10::ClassType& type, std::size_t attribute, bool requires_gradient) {
  if (type.is_parameter(attribute)) return "parameter";
  return std::string(type.is_buffer(attribute) ? "buffer" : "tensor") +
         (requires_gradient ? " that requires a gradient" : "");
}

void add_constant(Module& module, const std::string& name, const c10::IValue& value) {
  if (auto attribute = attribute_of(value)) module.attributes.push_back({name, *attribute});
}

} // namespace

ModuleTable::ModuleTable(const torch::jit::Module& root, GraphBuilder& graph,
                         const UnsetObjects& unset)
    : graph_(graph) {
  for (const auto& [object, state] : unset) states_.emplace(object.get(), &state);
  add(*root._ivalue(), "", none);
  std::string kinds;
  for (const std::string& kind : kinds_) kinds += kind + "\n";
  graph_.origin.statements.push_back({"list of parameters and buffers", std::move(kinds)});
}

ModuleId ModuleTable::id_of(const c10::ivalue::Object& object) const {
  const auto found = modules_.find(&object);
  return found == modules_.end() ? none : found->second;
}

ParameterId ModuleTable::parameter_of(const c10::ivalue::Object& object,
                                      const std::string& attribute) const {
  const auto owner = parameters_.find(&object);
  if (owner == parameters_.end()) return none;
  const auto found = owner->second.find(attribute);
  return found == owner->second.end() ? none : found->second;
}

std::uint64_t ModuleTable::storage_of(const at::Tensor& tensor) {
  if (!tensor.has_storage() || tensor.storage().nbytes() == 0) return 0;
  const void* storage = tensor.storage().unsafeGetStorageImpl();
  return storages_.try_emplace(storage, storages_.size() + 1).first->second;
}

ParameterId ModuleTable::add_tensor(ModuleId module, const std::string& name,
                                    const at::Tensor& tensor) {
  Parameter parameter;
  parameter.name = name;
  parameter.path = join(graph_.module_path(module), name);
  parameter.type = type_of(tensor);
  parameter.storage = storage_of(tensor);
  parameter.bytes = bytes_of(tensor);
  parameter.buffer = true;
  parameter.quantisation = quantisation_of(tensor);
  return graph_.add_parameter(std::move(parameter));
}

void ModuleTable::add(const c10::ivalue::Object& object, const std::string& path, ModuleId parent) {
  const auto known = modules_.find(&object);
  if (known != modules_.end()) {
    graph_.modules()[known->second].aliases.push_back(path);
    return;
  }
  const c10::ClassType& type = *object.type();
  Module module;
  module.path = path;
  module.class_name = class_name_of(type);
  module.parent = parent;
  module.leaf = is_leaf(object.type());
  module.torch_nn = is_torch_nn(module.class_name);
  // LibTorch would run it at load.
  if (type.findMethod("__setstate__")) module.attributes.push_back({"__setstate__", true});
  const ModuleId id = graph_.add_module(std::move(module));
  modules_.emplace(&object, id);
  if (depth_of(graph_, id) > max_hierarchy_depth)
    throw Error(ErrorKind::too_deep, "",
                "the modules are nested more than " + std::to_string(max_hierarchy_depth) +
                    " levels deep",
                "export a part of the model");
  add_attributes(object, id);
  for (std::size_t i = 0; i < type.numAttributes(); ++i)
    if (type.getAttribute(i)->is_module() && object.slots().at(i).isObject())
      add(*object.slots()[i].toObject(), join(path, type.getAttributeName(i)), id);
}

void ModuleTable::add_attributes(const c10::ivalue::Object& object, ModuleId module) {
  const c10::ClassType& type = *object.type();
  for (std::size_t i = 0; i < type.numAttributes() && i < object.slots().size(); ++i) {
    const std::string& name = type.getAttributeName(i);
    const c10::IValue& value = object.slots()[i];
    require_short_name(name);
    if (value.isObject() && !type.getAttribute(i)->is_module())
      add_packed(value.toObjectRef(), module);
    if (!value.isTensor()) {
      if (!type.is_parameter(i) && !name.starts_with("_is_full_backward"))
        add_constant(graph_.modules()[module], name, value);
      continue;
    }
    if (!value.toTensor().defined()) continue;
    const ParameterId parameter = add_tensor(module, name, value.toTensor());
    graph_.parameters()[parameter].buffer = !type.is_parameter(i);
    kinds_.insert(graph_.parameters()[parameter].path + " " +
                  kind_of(type, i, value.toTensor().requires_grad()));
    entered_.insert(value.toTensor().unsafeGetTensorImpl());
    graph_.modules()[module].parameters.push_back(parameter);
    parameters_[&object].emplace(name, parameter);
  }
  for (std::size_t i = 0; i < type.numConstants(); ++i)
    add_constant(graph_.modules()[module], type.getConstantName(i), type.getConstant(i));
  add_packed(object, module);
}

/// They belong to the module that computes with them, which may hold them in modules beneath it.
void ModuleTable::add_packed(const c10::ivalue::Object& object, ModuleId holder) {
  const auto state = states_.find(&object);
  if (state == states_.end() || packed_.contains(&object)) return;
  ModuleId owner = holder;
  const auto& modules = graph_.modules();
  while (modules[owner].parent != none && modules[modules[owner].parent].leaf)
    owner = modules[owner].parent;
  std::vector<ParameterId>& packed = packed_[&object];
  add_packed(*state->second, owner, packed);
}

/// Weights have several dimensions, biases one; what else there is describes how they are packed.
void ModuleTable::add_packed(const c10::IValue& state, ModuleId owner,
                             std::vector<ParameterId>& packed) {
  if (state.isTuple())
    for (const c10::IValue& part : state.toTupleRef().elements()) add_packed(part, owner, packed);
  else if (state.isList())
    for (const c10::IValue& part : state.toListRef()) add_packed(part, owner, packed);
  else if (state.isObject() && states_.contains(&state.toObjectRef()))
    add_packed(*states_.at(&state.toObjectRef()), owner, packed);
  if (!state.isTensor() || !state.toTensor().defined()) return;
  const at::Tensor& tensor = state.toTensor();
  const bool weight = tensor.dim() > 1;
  if ((!weight && (tensor.dim() == 0 || !tensor.is_floating_point())) ||
      !entered_.insert(tensor.unsafeGetTensorImpl()).second)
    return;
  packed.push_back(add_tensor(owner, weight ? "weight" : "bias", tensor));
  graph_.parameters()[packed.back()].buffer = false;
  graph_.modules()[owner].parameters.push_back(packed.back());
}

const std::vector<ParameterId>& ModuleTable::packed_in(const c10::ivalue::Object& object) const {
  static const std::vector<ParameterId> nothing;
  const auto found = packed_.find(&object);
  return found == packed_.end() ? nothing : found->second;
}

} // namespace model_validator::torchscript
