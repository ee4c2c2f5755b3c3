#include "connected_graph/torchscript/code/abstract_value.h"

#include <model_validator/error.h>

#include <algorithm>
#include <set>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t max_value_depth = 64;
// Lists that each hold the previous one twice double with every line of a file.
constexpr std::size_t max_values = 100'000;

/// Goes through the data of a value, in order.
class OperandSearch {
public:
  explicit OperandSearch(std::vector<ValuePath>* paths = nullptr) : paths_(paths) {}

  std::vector<Operand> operands;

  void search(const Abstract& value) {
    if (!value || open_.size() > max_value_depth || !open_.insert(value.get()).second) return;
    seen_ += 1 + value->sources.size() + value->parameters.size();
    if (seen_ > max_values)
      throw Error(ErrorKind::too_large, "",
                  "a value of the model holds more than " + std::to_string(max_values) + " others",
                  "do not trust this file; if it is yours, export a part of it");
    for (const Source& source : value->sources) add({source, {}, value->query});
    for (const ParameterId parameter : value->parameters) add({{}, parameter, false});
    if (value->items())
      for (std::size_t i = 0; i < value->items()->values.size(); ++i)
        search_part(value->items()->exact ? i : every, value->items()->values[i]);
    if (value->fields())
      for (const auto& [name, field] : *value->fields()) search_part(name, field);
    open_.erase(value.get());
  }

private:
  void add(const Operand& operand) {
    operands.push_back(operand);
    if (paths_) paths_->push_back(path_);
  }

  template <typename Step> void search_part(const Step& step, const Abstract& part) {
    path_.emplace_back(step);
    search(part);
    path_.pop_back();
  }

  std::vector<ValuePath>* paths_; ///< where in the value the operands are
  ValuePath path_;
  std::set<const AbstractValue*> open_;
  std::size_t seen_ = 0;
};

} // namespace

Abstract make_known(c10::IValue value) {
  auto result = std::make_shared<AbstractValue>();
  result->never_none = !value.isNone();
  result->content = std::move(value);
  return result;
}

Abstract make_items(std::vector<Abstract> values) {
  auto result = std::make_shared<AbstractValue>();
  result->content = std::make_shared<Items>();
  result->items()->values = std::move(values);
  result->never_none = true;
  return result;
}

std::optional<bool> is_none(const AbstractValue& value) {
  if (value.known()) return value.known()->isNone();
  if (value.never_none || value.object() || value.items() || value.fields()) return false;
  return std::nullopt;
}

std::optional<bool> as_bool(const AbstractValue& value) {
  if (value.known() && value.known()->isBool()) return value.known()->toBool();
  return std::nullopt;
}

std::optional<std::int64_t> as_int(const AbstractValue& value) {
  if (value.known() && value.known()->isInt()) return value.known()->toInt();
  return std::nullopt;
}

std::vector<Operand> operands_of(const Abstract& value) {
  OperandSearch data;
  data.search(value);
  return std::move(data.operands);
}

std::vector<ValuePath> paths_of_operands(const Abstract& value) {
  std::vector<ValuePath> paths;
  OperandSearch(&paths).search(value);
  return paths;
}

bool only_queries(const std::vector<Operand>& operands) {
  return !operands.empty() &&
         std::all_of(operands.begin(), operands.end(), [](const Operand& o) { return o.query; });
}

} // namespace model_validator::torchscript
