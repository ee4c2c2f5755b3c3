#include "validators/suggestions/creation_ops.h"

#include "connected_graph/attributes.h"
#include "validators/suggestions/operators.h"
#include "validators/suggestions/written_operand.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/dtype.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace model_validator {
namespace {

enum class Argument { absent, sizes, value, optional_value };
using enum Argument;

struct NamedArgument {
  std::string_view name;
  Argument kind = absent;
};

/// A function of torch that makes a tensor, with its positional arguments.
struct Maker {
  std::string_view type;
  std::array<NamedArgument, 3> arguments{};
  bool random = false;
  std::string_view number{}; ///< the argument's name in the overloads for one number
};

constexpr NamedArgument size = {"size", sizes};
constexpr NamedArgument window_length = {"window_length", value};

constexpr std::array makers = std::to_array<Maker>({
    {"arange", {{{"start", optional_value}, {"end", value}, {"step", optional_value}}}},
    {"as_tensor", {{{"data", value}}}, false, "t"},
    {"bartlett_window", {{window_length}}},
    {"blackman_window", {{window_length}}},
    {"empty", {{size}}},
    {"eye", {{{"n", value}, {"m", optional_value}}}},
    {"full", {{{"size", value}, {"fill_value", value}}}},
    {"hamming_window", {{window_length}}},
    {"hann_window", {{window_length}}},
    {"kaiser_window", {{window_length}}},
    {"linspace", {{{"start", value}, {"end", value}, {"steps", value}}}},
    {"logspace", {{{"start", value}, {"end", value}, {"steps", value}}}},
    {"ones", {{size}}},
    {"rand", {{size}}, true},
    {"randint", {}, true},
    {"randn", {{size}}, true},
    {"randperm", {{{"n", value}}}, true},
    {"range", {{{"start", value}, {"end", value}, {"step", optional_value}}}},
    {"scalar_tensor", {{{"s", value}}}},
    {"tensor", {{{"data", value}}}, false, "t"},
    {"tril_indices", {{{"row", value}, {"col", value}, {"offset", optional_value}}}},
    {"triu_indices", {{{"row", value}, {"col", value}, {"offset", optional_value}}}},
    {"zeros", {{size}}},
});

const Maker* find_maker(std::string_view type) { return row_with(makers, &Maker::type, type); }

/// `zeros` of `zeros_like` and `new_zeros`, which take sizes or dtype from another tensor.
std::string_view model_of(std::string_view type) {
  constexpr std::string_view like = "_like";
  constexpr std::string_view fresh = "new_";
  if (type.starts_with(fresh)) type.remove_prefix(fresh.size());
  if (type.ends_with(like)) type.remove_suffix(like.size());
  return type;
}

std::string dtype_of(const Op& op) {
  const AttributeValue* dtype = find_attribute(op.attributes, "dtype");
  if (!dtype || std::holds_alternative<std::monostate>(*dtype)) return {};
  if (!op.outputs.empty() && !op.outputs.front().dtype.empty()) return op.outputs.front().dtype;
  const auto* number = std::get_if<std::int64_t>(dtype);
  const auto known = number ? dtype_numbered(&DTypeFacts::torch, *number) : std::nullopt;
  return known ? to_string(*known) : std::string();
}

/// The dtype that torch gives numbers when none is given.
std::string_view natural_dtype(const std::vector<AttributeValue>& values) {
  const auto holds = [&](auto... example) {
    return std::ranges::any_of(values, [&](const AttributeValue& value) {
      return (std::holds_alternative<decltype(example)>(value) || ...);
    });
  };
  if (values.empty() || holds(double(), std::vector<double>())) return "float32";
  return holds(bool(), std::vector<bool>()) ? "bool" : "int64";
}

/// Whether torch takes the dtype from the numbers given.
bool takes_after_numbers(std::string_view type) {
  return type == "arange" || type == "tensor" || type == "as_tensor";
}

/// `8` of the list `(8,)`, `2, 3` of `(2, 3)`.
std::string spread(const AttributeValue& list) {
  std::string text = to_python(list);
  if (!text.starts_with('(')) return text;
  text = text.substr(1, text.size() - 2);
  return text.ends_with(',') ? text.substr(0, text.size() - 1) : text;
}

class Expression {
public:
  Expression(const Maker& maker, const Op& op) : maker_(maker), op_(op) {}

  /// Nothing where an argument is no constant.
  std::optional<std::string> write() {
    for (const NamedArgument& argument : maker_.arguments)
      if (argument.kind != absent && !take(argument)) return std::nullopt;
    if (maker_.type == "arange") shorten_range();
    std::string text = "torch." + std::string(maker_.type) + '(';
    for (std::size_t i = 0; i < written_.size(); ++i) text += (i ? ", " : "") + written_[i];
    const std::string dtype = dtype_of(op_);
    if (!dtype.empty() && dtype != natural()) text += ", dtype=torch." + dtype;
    return text + ')';
  }

private:
  bool take(const NamedArgument& argument) {
    const AttributeValue* given = find_attribute(op_.attributes, argument.name);
    if (!given && !maker_.number.empty()) given = find_attribute(op_.attributes, maker_.number);
    if (!given || std::holds_alternative<std::monostate>(*given))
      return argument.kind == optional_value;
    written_.push_back(argument.kind == sizes ? spread(*given) : to_python(*given));
    values_.push_back(*given);
    return true;
  }

  /// `torch.arange(8)` of a range from 0 in steps of 1.
  void shorten_range() {
    if (written_.size() == 3 && written_[2] == "1") written_.pop_back();
    if (written_.size() == 2 && written_[0] == "0") written_.erase(written_.begin());
  }

  std::string_view natural() const {
    if (takes_after_numbers(maker_.type)) return natural_dtype(values_);
    if (maker_.type == "full") return natural_dtype({values_.begin() + 1, values_.end()});
    return maker_.type.ends_with("_indices") || maker_.type == "randperm" ? "int64" : "float32";
  }

  const Maker& maker_;
  const Op& op_;
  std::vector<std::string> written_;
  std::vector<AttributeValue> values_;
};

/// Whether an op writes into the tensor, or into a view of it.
bool is_written(const ConnectedGraph& graph, OpId id) {
  for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph.graph()))) {
    if (graph.graph()[edge].input != 0) continue;
    const OpId target = boost::target(edge, graph.graph());
    const auto operators = operators_of(graph.op(target));
    const bool writes = std::ranges::any_of(
        operators, [](const Operator& each) { return writes_in_place(each.schema); });
    if (writes || (may_pass_memory_on(graph, graph.op(target)) && is_written(graph, target)))
      return true;
  }
  return false;
}

/// `self.weight` of the module whose code runs the op, where the op reads nothing else.
std::optional<std::string> own_parameter(const ConnectedGraph& graph, const Op& op) {
  if (op.parameters.size() != 1 || op.parent == none) return std::nullopt;
  const auto& own = graph.module(op.parent).parameters;
  if (!contains(own, op.parameters[0])) return std::nullopt;
  return "self." + graph.parameters().at(op.parameters[0]).name;
}

/// The expression that takes another tensor as its model: `torch.zeros_like(self.weight)`.
std::optional<std::string> like_parameter(const ConnectedGraph& graph, const Op& op) {
  const auto parameter = own_parameter(graph, op);
  if (!parameter || !op.type.ends_with("_like")) return std::nullopt;
  const AttributeValue* fill = find_attribute(op.attributes, "fill_value");
  if (op.type == "full_like" && !fill) return std::nullopt;
  return "torch." + op.type + '(' + *parameter + (fill ? ", " + to_python(*fill) : "") + ')';
}

std::optional<std::string> constant_expression(const ConnectedGraph& graph, OpId id,
                                               const Maker& maker) {
  const Op& op = graph.op(id);
  if (boost::in_degree(id, graph.graph()) > 0) return std::nullopt;
  if (op.type != maker.type) return like_parameter(graph, op);
  // ONNX has arguments of its own.
  if (op.schema.starts_with("onnx::")) return "torch." + op.type + "(...)";
  return Expression(maker, op).write();
}

} // namespace

bool makes_tensor(std::string_view type) { return find_maker(model_of(type)) != nullptr; }

MadeTensor made_tensor(const ConnectedGraph& graph, OpId id) {
  const Maker* maker = find_maker(model_of(graph.op(id).type));
  if (!maker) return {};
  if (maker->random) return {{}, "it is drawn again in each run"};
  if (is_written(graph, id)) return {{}, "its result is written into"};
  const auto expression = constant_expression(graph, id, *maker);
  if (!expression && boost::in_degree(id, graph.graph()) > 0)
    return {{}, "its result depends on values computed in each run"};
  if (!expression) return {{}, "the file does not say what it creates"};
  return {*expression, {}};
}

} // namespace model_validator
