#include "migrate/code_document.h"

#include "connected_graph/torchscript/ir/original_range.h"

#include <nlohmann/json.hpp>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>

#include <cmath>
#include <deque>
#include <map>
#include <unordered_map>

namespace model_validator::torchscript {
namespace {

using nlohmann::json;
using torch::jit::Block;
using torch::jit::Function;
using torch::jit::Node;

class Writer {
public:
  Writer(const LoadedFile& file, const Places& places) : file_(file), places_(places) {}
  std::string document();

private:
  json value(const c10::IValue& value);
  json composite(const c10::IValue& value);
  json tensor(const at::Tensor& tensor);
  json object(const c10::IValue& value);
  std::size_t type(const c10::TypePtr& type);
  void note(const c10::TypePtr& type);
  void note_named(const c10::NamedTypePtr& type);
  json named_tuple(const c10::TupleType& type);
  json class_of(const c10::ClassType& type);
  json function(Function& function);
  json arguments(const std::vector<c10::Argument>& arguments);
  json block(const Block& block, json& values);
  json node(const Node& node, json& values);
  void attributes(const Node& node, json& written);
  std::size_t file_number(const std::string& file);
  json declare(at::ArrayRef<const torch::jit::Value*> declared, json& values);
  json used(at::ArrayRef<const torch::jit::Value*> values) const;
  void note_operator(const c10::FunctionSchema& schema, const std::string& name);

  const LoadedFile& file_;
  const Places& places_;
  std::vector<c10::IValue> kept_; ///< objects, so that their addresses stay theirs
  std::unordered_map<const void*, std::size_t> object_ids_;
  std::unordered_map<const void*, std::size_t> type_ids_;
  std::vector<c10::TypePtr> kept_types_;
  std::unordered_map<const torch::jit::Value*, std::size_t> value_ids_;
  std::deque<c10::NamedTypePtr> classes_left_;
  std::deque<Function*> functions_left_;
  std::map<std::string, bool> noted_;
  std::map<std::string, std::size_t> file_numbers_;
  json files_ = json::array();
  json objects_ = json::array(), tensors_ = json::array(), types_ = json::array();
  json classes_ = json::object(), tuples_ = json::object(), functions_ = json::object(),
       operators_ = json::object();
};

json number(double value) {
  if (std::isfinite(value)) return value;
  return {{"float", std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"}};
}

json Writer::value(const c10::IValue& value) {
  if (value.isNone()) return nullptr;
  if (value.isBool()) return value.toBool();
  if (value.isInt()) return value.toInt();
  if (value.isDouble()) return number(value.toDouble());
  if (value.isString()) return value.toStringRef();
  if (value.isTensor()) return tensor(value.toTensor());
  if (value.isObject()) return object(value);
  return composite(value);
}

json Writer::composite(const c10::IValue& value) {
  json items = json::array();
  if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) items.push_back(this->value(item));
    return {{"list", std::move(items)}};
  }
  if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements())
      items.push_back(this->value(item));
    return {{"tuple", std::move(items)}};
  }
  if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict())
      items.push_back({this->value(entry.key()), this->value(entry.value())});
    return {{"dict", std::move(items)}};
  }
  if (value.isEnum()) {
    const auto& member = value.toEnumHolder();
    return {{"enum", member->qualifiedClassName() + "." + member->name()}};
  }
  if (value.isDevice()) return {{"device", value.toDevice().str()}};
  return {{"other", value.tagKind()}};
}

json Writer::tensor(const at::Tensor& tensor) {
  if (!tensor.defined()) return {{"other", "undefined tensor"}};
  json found{{"dtype", c10::toString(tensor.scalar_type())}, {"grad", tensor.requires_grad()}};
  const bool plain = tensor.layout() == c10::kStrided && !tensor.is_quantized() &&
                     !tensor.is_conj() && !tensor.is_neg() && !tensor.is_meta();
  if (plain) {
    found["shape"] = tensor.sizes().vec();
    found["strides"] = tensor.strides().vec();
    found["start"] = tensor.storage_offset() * static_cast<std::int64_t>(tensor.element_size());
    found["size"] = tensor.element_size();
    const auto place = places_.find(tensor.storage().data());
    if (place != places_.end()) {
      found["storage"] = place->second;
      found["bytes"] = tensor.storage().nbytes();
    }
  }
  tensors_.push_back(std::move(found));
  return {{"tensor", tensors_.size() - 1}};
}

json Writer::object(const c10::IValue& value) {
  const auto& object = value.toObjectRef();
  const auto [known, added] = object_ids_.try_emplace(&object, objects_.size());
  const std::size_t id = known->second;
  if (added) {
    kept_.push_back(value);
    note_named(object.type());
    objects_.push_back(nullptr);
    json slots = json::array();
    for (const c10::IValue& slot : object.slots()) slots.push_back(this->value(slot));
    objects_[id] = {{"class", object.type()->name()->qualifiedName()},
                    {"values", std::move(slots)}};
  }
  return {{"object", id}};
}

void Writer::note_named(const c10::NamedTypePtr& type) {
  if (type->name() && noted_.try_emplace(type->name()->qualifiedName()).second)
    classes_left_.push_back(type);
}

void Writer::note(const c10::TypePtr& type) {
  if (auto named = type->cast<c10::NamedType>()) note_named(named);
  for (const c10::TypePtr& inner : type->containedTypes()) note(inner);
}

std::size_t Writer::type(const c10::TypePtr& type) {
  const auto [known, added] = type_ids_.try_emplace(type.get(), types_.size());
  if (added) {
    kept_types_.push_back(type);
    types_.push_back(type->annotation_str());
    if (type->kind() != c10::TypeKind::FunctionType) note(type);
  }
  return known->second;
}

json Writer::named_tuple(const c10::TupleType& type) {
  json fields = json::array();
  for (const c10::Argument& field : type.schema()->arguments())
    fields.push_back({{"name", field.name()}, {"type", this->type(field.type())}});
  return fields;
}

/// Only modules have parameters and buffers.
const char* kind_of(const c10::ClassType& type, std::size_t attribute) {
  if (!type.is_module()) return "attribute";
  return type.is_parameter(attribute) ? "parameter"
         : type.is_buffer(attribute)  ? "buffer"
                                      : "attribute";
}

json Writer::class_of(const c10::ClassType& type) {
  json attributes = json::array(), constants = json::object(), methods = json::object();
  for (std::size_t i = 0; i < type.numAttributes(); ++i)
    attributes.push_back({{"name", type.getAttributeName(i)},
                          {"type", this->type(type.getAttribute(i))},
                          {"kind", kind_of(type, i)}});
  for (std::size_t i = 0; i < type.numConstants(); ++i)
    constants[type.getConstantName(i)] = value(type.getConstant(i));
  for (Function* method : type.methods())
    if (method->name() != "__setstate__" && method->name() != "__getstate__")
      methods[method->name()] = function(*method);
  return {{"module", type.is_module()},
          {"attributes", std::move(attributes)},
          {"constants", std::move(constants)},
          {"hooks", type.getForwardHooks().size() + type.getForwardPreHooks().size()},
          {"methods", std::move(methods)}};
}

json Writer::arguments(const std::vector<c10::Argument>& arguments) {
  json written = json::array();
  for (const c10::Argument& argument : arguments) {
    json one{{"name", argument.name()},
             {"type", argument.real_type()->str()},
             {"keyword", argument.kwarg_only()},
             {"written", argument.alias_info() != nullptr && argument.alias_info()->isWrite()},
             {"alias", argument.alias_info() != nullptr}};
    if (argument.default_value()) one["default"] = value(*argument.default_value());
    written.push_back(std::move(one));
  }
  return written;
}

json Writer::function(Function& function) {
  const auto graph = torch::jit::toGraphFunction(function).graph();
  json values = json::array();
  json body = block(*graph->block(), values);
  return {{"arguments", arguments(function.getSchema().arguments())},
          {"values", std::move(values)},
          {"block", std::move(body)}};
}

json Writer::declare(at::ArrayRef<const torch::jit::Value*> declared, json& values) {
  json ids = json::array();
  for (const torch::jit::Value* value : declared) {
    value_ids_[value] = values.size();
    ids.push_back(values.size());
    values.push_back({value->hasDebugName() ? value->debugName() : "", type(value->type())});
  }
  return ids;
}

json Writer::used(at::ArrayRef<const torch::jit::Value*> values) const {
  json ids = json::array();
  for (const torch::jit::Value* value : values) ids.push_back(value_ids_.at(value));
  return ids;
}

json Writer::block(const Block& block, json& values) {
  json written{{"inputs", declare(block.inputs(), values)}};
  json nodes = json::array();
  for (const Node* inner : block.nodes()) nodes.push_back(node(*inner, values));
  written["nodes"] = std::move(nodes);
  written["outputs"] = used(block.outputs());
  return written;
}

std::size_t Writer::file_number(const std::string& file) {
  const auto [known, added] = file_numbers_.try_emplace(file, files_.size());
  if (added) files_.push_back(file);
  return known->second;
}

json Writer::node(const Node& node, json& values) {
  json written{{"kind", node.kind().toQualString()}, {"in", used(node.inputs())}};
  if (const auto* schema = node.maybeSchema()) {
    const std::string name = c10::toString(schema->operator_name());
    written["schema"] = name;
    note_operator(*schema, name);
  }
  attributes(node, written);
  if (const auto place = original_range(node.sourceRange()).file_line_col())
    written["at"] = {file_number(std::get<0>(*place)), std::get<1>(*place)};
  if (!node.blocks().empty()) {
    json blocks = json::array();
    for (const Block* inner : node.blocks()) blocks.push_back(block(*inner, values));
    written["blocks"] = std::move(blocks);
  }
  written["out"] = declare(node.outputs(), values);
  return written;
}

void Writer::attributes(const Node& node, json& written) {
  namespace attr = c10::attr;
  if (node.kind() == c10::prim::Constant) {
    if (auto function = node.output()->type()->cast<c10::FunctionType>()) {
      written["function"] = function->function()->qualname().qualifiedName();
      functions_left_.push_back(function->function());
    } else if (auto constant = torch::jit::toIValue(node.output())) {
      written["value"] = value(*constant);
    }
  } else if (node.hasAttribute(attr::name) &&
             node.kindOf(attr::name) == torch::jit::AttributeKind::s) {
    written["name"] = node.s(attr::name);
  } else if (node.hasAttribute(attr::types)) {
    for (const c10::TypePtr& tested : node.tys(attr::types))
      written["types"].push_back(type(tested));
  } else if (node.hasAttribute(attr::beg)) {
    written["range"] = {node.i(attr::beg), node.i(attr::end)};
  }
}

void Writer::note_operator(const c10::FunctionSchema& schema, const std::string& name) {
  if (operators_.contains(name)) return;
  operators_[name] = {{"arguments", arguments(schema.arguments())},
                      {"results", arguments(schema.returns())}};
}

std::string Writer::document() {
  const json root = object(c10::IValue(file_.module._ivalue()));
  while (!classes_left_.empty() || !functions_left_.empty()) {
    while (!functions_left_.empty()) {
      Function* next = functions_left_.front();
      functions_left_.pop_front();
      const std::string name = next->qualname().qualifiedName();
      if (noted_.try_emplace("function " + name).second) functions_[name] = function(*next);
    }
    if (classes_left_.empty()) continue;
    const c10::NamedTypePtr next = classes_left_.front();
    classes_left_.pop_front();
    const std::string name = next->name()->qualifiedName();
    if (auto type = next->cast<c10::ClassType>())
      classes_[name] = class_of(*type);
    else if (auto tuple = next->cast<c10::TupleType>(); tuple && tuple->schema())
      tuples_[name] = named_tuple(*tuple);
  }
  const json all{{"schema", "model_validator.code/1"},  {"producer", file_.producer},
                 {"unset", file_.unset_objects.size()}, {"sparse", file_.has_sparse_tensors},
                 {"files", std::move(files_)},          {"objects", std::move(objects_)},
                 {"tensors", std::move(tensors_)},      {"types", std::move(types_)},
                 {"classes", std::move(classes_)},      {"tuples", std::move(tuples_)},
                 {"functions", std::move(functions_)},  {"operators", std::move(operators_)}};
  return all.dump(-1, ' ', true, json::error_handler_t::replace);
}

} // namespace

std::string code_document(const LoadedFile& file, const Places& places) {
  return Writer(file, places).document();
}

} // namespace model_validator::torchscript
