#pragma once

#include "connected_graph/onnx/known_type.h"
#include "connected_graph/shapes/value.h"

#include <model_validator/program.h>

#include <onnx-ml.pb.h>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

namespace model_validator::onnx_format {

/// What a name in a graph stands for.
struct Binding {
  ValueId value = none;
  const ::onnx::TensorProto* tensor = nullptr; ///< stored in the file
  std::optional<AttributeValue> literal = {};
  bool query = false;      ///< made only from sizes and constants
  bool passed_on = false;  ///< a stored value that operators pass on or cast, and do nothing else
  bool absent = false;     ///< an input of a function that its call leaves out
  bool worked_out = false; ///< made only from sizes and stored values
  bool counted = false;    ///< made from the number of an iteration, besides
  Elements elements = Elements::open;
  KnownType type = {};      ///< as it follows from the operators, or as declared
  shapes::Value sizes = {}; ///< worked out from the operators; else as many axes as are declared

  bool constant() const noexcept { return literal.has_value(); }
  /// That the file stores for it, one alone.
  std::optional<std::int64_t> number() const {
    if (!literal) return std::nullopt;
    if (const bool* truth = std::get_if<bool>(&*literal)) return *truth ? 1 : 0;
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&*literal);
        list && list->size() == 1)
      return list->front();
    const auto* whole = std::get_if<std::int64_t>(&*literal);
    return whole == nullptr ? std::nullopt : std::optional(*whole);
  }
  bool stored() const noexcept { return constant() || tensor != nullptr || passed_on; }
};

/// The names of one graph; a subgraph also sees those of the graphs around it.
class Scope {
public:
  explicit Scope(const Scope* outer) : outer_(outer) {}

  bool is_inner() const { return outer_ != nullptr; }

  /// @returns false if the name is taken
  bool bind(const std::string& name, Binding binding) {
    return names_.emplace(name, std::move(binding)).second;
  }
  const Binding* find(const std::string& name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->outer_)
      if (const auto found = scope->names_.find(name); found != scope->names_.end())
        return &found->second;
    return nullptr;
  }
  /// A name that this scope itself has bound.
  Binding& at(const std::string& name) { return names_.at(name); }
  void declare(const std::string& name, TensorType tensor, KnownType type) {
    declared_.insert_or_assign(name, std::pair(std::move(tensor), std::move(type)));
  }
  /// As it is declared; of no dtype and shape where it is no tensor.
  TensorType tensor_declared(const std::string& name) const {
    const auto found = declared_.find(name);
    return found == declared_.end() ? TensorType{} : found->second.first;
  }
  KnownType declared(const std::string& name) const {
    const auto found = declared_.find(name);
    return found == declared_.end() ? KnownType{} : found->second.second;
  }

  /// Of the tensors that this scope itself has bound, by name.
  std::unordered_map<std::string, std::string> dtypes() const {
    std::unordered_map<std::string, std::string> dtypes;
    for (const auto& [name, binding] : names_)
      if (binding.type.kind == ValueKind::tensor || binding.type.kind == ValueKind::unknown)
        dtypes.emplace(name, binding.type.dtype);
    return dtypes;
  }

private:
  const Scope* outer_;
  std::unordered_map<std::string, Binding> names_;
  std::unordered_map<std::string, std::pair<TensorType, KnownType>> declared_;
};

} // namespace model_validator::onnx_format
