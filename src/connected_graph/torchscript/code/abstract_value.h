#pragma once

#include "connected_graph/path_condition.h"
#include "connected_graph/torchscript/code/node_map.h"

#include <model_validator/connected_graph.h>

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace model_validator::torchscript {

struct AbstractValue;

/// Shared, because lists and objects keep their identity: what one name appends, another sees.
using Abstract = std::shared_ptr<AbstractValue>;

/// Output `output` of op `op`.
struct Source {
  OpId op = none;
  std::size_t output = 0;
};

/// The elements of a list, a tuple, or the values of a dict, as far as the walk has seen them.
struct Items {
  std::vector<Abstract> values;
  std::vector<c10::IValue> keys; ///< of a dict, parallel to `values`
  bool exact = true;             ///< false once something changed on only some paths
  bool lost = false;             ///< it may hold other values than these
  bool mutated_in_loop = false;  ///< the loop being walked may change it so
  bool escaped = false;          ///< whatever is put into it may be changed elsewhere
  bool dict = false;
  std::size_t depth = 0; ///< how many undecided regions were open when it was made
};

/// An object made while the model runs: an instance of a script class.
using Fields = std::map<std::string, Abstract>;

using ObjectPointer = c10::intrusive_ptr<c10::ivalue::Object>;
/// A number, string, None, dtype or device; a module or object of the file; a list, tuple or dict;
/// an object made by the model.
using Content = std::variant<std::monostate, c10::IValue, ObjectPointer, std::shared_ptr<Items>,
                             std::shared_ptr<Fields>>;

/// What the content points to; null if it holds something else.
template <typename Pointer> auto* pointed_by(const Content& content) noexcept {
  const auto* pointer = std::get_if<Pointer>(&content);
  return pointer == nullptr ? nullptr : pointer->get();
}

/// What the walk knows about a TorchScript value without running anything: what it is, as far as
/// known, and where its data comes from.
struct AbstractValue {
  /// Each is null if the value is something else.
  const c10::IValue* known() const noexcept { return std::get_if<c10::IValue>(&content); }
  const c10::ivalue::Object* object() const noexcept { return pointed_by<ObjectPointer>(content); }
  Items* items() const noexcept { return pointed_by<std::shared_ptr<Items>>(content); }
  Fields* fields() const noexcept { return pointed_by<std::shared_ptr<Fields>>(content); }

  Content content;
  std::vector<Source> sources;
  std::vector<ParameterId> parameters;
  /// Values it may be, each with the decision that selects it.
  std::vector<std::pair<Literal, Abstract>> alternatives;
  std::vector<Abstract> may_alias; ///< lists or dicts, one of which it is, whatever is decided
  std::vector<std::weak_ptr<AbstractValue>> copies; ///< values that stand for it or another
  std::vector<Abstract>
      possible_containers;  ///< lists or dicts that it may be in, or share elements with
  bool written = false;     ///< a list or dict that was changed in place
  std::uint64_t number = 0; ///< the same for values that are certainly equal
  std::uint32_t node = 0;   ///< in the dependence graph
  bool negated = false;     ///< a boolean that is the opposite of what `number` stands for
  bool query = false;       ///< carries no tensor data of the model
  bool never_none = false;
  bool unreachable = false;               ///< after `raise`: no path carries it
  RegionId counter_of_loop = none;        ///< it is the counter of this loop
  std::vector<c10::IValue> in_iterations; ///< the numbers that it is in those of a loop
  bool only_bounds = false;               ///< of them only the least and the greatest are there
  RegionId once_in_loop =
      none; ///< true (false, if `negated`) in one iteration of this loop at most
  std::shared_ptr<Operator> expanded; ///< first half of an operator that became two
  OpId list_of = none;                ///< it is the list of all outputs of this op
  Abstract base;                      ///< the tensor it is a view of
};

Abstract make_known(c10::IValue value);
Abstract make_items(std::vector<Abstract> values);
/// Whether it is None; nullopt if undecided.
std::optional<bool> is_none(const AbstractValue& value);
/// The boolean that it certainly is.
std::optional<bool> as_bool(const AbstractValue& value);
std::optional<std::int64_t> as_int(const AbstractValue& value);

/// One piece of data that an op consumes.
struct Operand {
  std::optional<Source> source;
  std::optional<ParameterId> parameter;
  bool query = false;
};
/// The data of a value in order, with lists and objects opened.
std::vector<Operand> operands_of(const Abstract& value);
/// The path of each of them in the value.
std::vector<ValuePath> paths_of_operands(const Abstract& value);

/// Whether every piece of data it holds is a query, and there is at least one.
bool only_queries(const std::vector<Operand>& operands);

} // namespace model_validator::torchscript
