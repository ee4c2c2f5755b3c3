#include "introspection/op_settings.h"

#include "connected_graph/canonical_type.h"
#include "text/numbers.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace model_validator {
namespace {

/// What formats call the same setting: ONNX's word, then PyTorch's.
constexpr auto pairs = word_array<"epsilon=eps pads=padding strides=stride dilations=dilation "
                                  "group=groups kernel_shape=kernel_size axis=dim perm=dims "
                                  "keepdims=keepdim to=dtype "
                                  "coordinate_transformation_mode=align_corners">;
/// A number that stands beside the operand: `x * 1.5`.
constexpr auto constants = word_array<"input0 input1 other value exponent">;
constexpr auto arithmetic = word_array<"add sub rsub mul div pow maximum minimum">;
/// What decides nothing that an op computes, or is written by one exporter alone.
constexpr auto unimportant =
    word_array<"cudnn_enabled cudnn_enable benchmark deterministic allow_tf32 momentum training "
               "stash_type allowzero auto_pad name assert_msg onnx_name">;

constexpr double rounding = 2e-6; ///< ONNX keeps settings in float32
constexpr double rounding_of_half = 1e-3;

using Numbers = std::vector<double>;

/// What ONNX takes for a setting that a node leaves out, by operator and shared name.
const std::map<std::pair<std::string, std::string>, AttributeValue>& usual_settings() {
  static const std::map<std::pair<std::string, std::string>, AttributeValue> usual{
      {{"gelu", "approximate"}, std::string("none")},
      {{"pad", "mode"}, std::string("constant")},
      {{"leaky_relu", "negative_slope"}, 0.01},
      {{"elu", "alpha"}, 1.0},
      {{"layer_norm", "eps"}, 1e-5},
      {{"batch_norm", "eps"}, 1e-5},
      {{"group_norm", "eps"}, 1e-5},
      {{"instance_norm", "eps"}, 1e-5}};
  return usual;
}

/// One setting of a unit.
struct Setting {
  std::string name; ///< as its format has it
  const AttributeValue* value;
  std::optional<std::size_t> rank = {}; ///< of what the op yields, where it is known
  std::string operator_name = {};       ///< canonical
};

/// A setting's numbers; none for words and for what is left out.
std::optional<Numbers> numbers_of(const AttributeValue& value) {
  return std::visit(
      [](const auto& held) -> std::optional<Numbers> {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_arithmetic_v<Held>)
          return Numbers{static_cast<double>(held)};
        else if constexpr (std::is_same_v<Held, std::vector<std::int64_t>> ||
                           std::is_same_v<Held, std::vector<double>> ||
                           std::is_same_v<Held, std::vector<bool>>)
          return Numbers(held.begin(), held.end());
        else
          return std::nullopt;
      },
      value);
}

std::string setting_text(const AttributeValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return short_number(*number);
  return to_python(value);
}

/// PyTorch's padding is the same on both sides; ONNX writes every side.
Numbers with_both_sides(Numbers numbers, const std::string& name) {
  if (name == "padding") numbers.insert(numbers.end(), numbers.begin(), numbers.end());
  return numbers;
}

bool close(const Numbers& one, const Numbers& other, double tolerance) {
  return one.size() == other.size() &&
         std::equal(one.begin(), one.end(), other.begin(), [&](double a, double b) {
           return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)) ||
                  (std::isnan(a) && std::isnan(b));
         });
}

bool is_negative(double number) { return number < 0; }

/// Counts axes from the front, as one of the two may; none where the rank is not known.
std::optional<Numbers> from_the_front(Numbers numbers, std::optional<std::size_t> rank) {
  if (std::ranges::none_of(numbers, is_negative)) return numbers;
  if (!rank) return std::nullopt;
  for (double& number : numbers)
    if (number < 0) number += static_cast<double>(*rank);
  return numbers;
}

/// In PyTorch's word, or in ONNX's, which has more for the other ways.
bool aligns_corners(const Setting& setting) {
  const auto* word = std::get_if<std::string>(setting.value);
  if (word != nullptr) return *word == "align_corners";
  return numbers_of(*setting.value) == Numbers{1};
}

/// Whether both are known and differ.
bool differ(const Setting& one, const Setting& other, double tolerance) {
  if (one.name != other.name && (one.name == "align_corners" || other.name == "align_corners"))
    return aligns_corners(one) != aligns_corners(other);
  const auto a = numbers_of(*one.value), b = numbers_of(*other.value);
  if (!a || !b) {
    const bool alike = one.value->index() == other.value->index();
    return alike && std::holds_alternative<std::string>(*one.value) && *one.value != *other.value;
  }
  if (one.name == other.name) return !close(*a, *b, tolerance);
  const Numbers mine = with_both_sides(*a, one.name), theirs = with_both_sides(*b, other.name);
  if (mine.size() != theirs.size()) return false; // written in another way
  if (std::ranges::any_of(mine, is_negative) == std::ranges::any_of(theirs, is_negative))
    return !close(mine, theirs, tolerance);
  const auto rank = one.rank ? one.rank : other.rank;
  const auto first = from_the_front(mine, rank), second = from_the_front(theirs, rank);
  return first && second && !close(*first, *second, tolerance);
}

/// The settings of some ops, by the name that all formats share.
class Settings {
public:
  Settings(const ConnectedGraph& graph, const std::vector<OpId>& ops) : graph_(graph) {
    for (const OpId id : ops) add(id);
  }

  /// Those of a name; where an operator of the others leaves it out, what that means.
  std::vector<Setting> of(const std::string& name, const Settings& others) const {
    if (const auto found = all_.find(name); found != all_.end()) return found->second;
    std::vector<Setting> left_out;
    for (const Setting& other : others.all_.at(name)) {
      const auto usual = usual_settings().find({other.operator_name, name});
      if (usual != usual_settings().end() && types_.count(other.operator_name) != 0)
        left_out.push_back({name, &usual->second, {}, other.operator_name});
    }
    return left_out;
  }

  std::set<std::string> names_with(const Settings& others) const {
    std::set<std::string> names;
    for (const Settings* each : {this, &others})
      for (const auto& [name, settings] : each->all_) names.insert(name);
    return names;
  }

private:
  void add(OpId id) {
    const Op& op = graph_.op(id);
    if (op.body)
      for (const Operator& part : *op.body)
        add(part.attributes, op, canonical_type(part.schema, part.attributes));
    else
      add(op.attributes, op, op.type);
    for (const auto edge : boost::make_iterator_range(boost::in_edges(id, graph_.graph()))) {
      const Op& operand = graph_.op(boost::source(edge, graph_.graph()));
      if (operand.kind == OpKind::constant) add(operand.attributes, op, op.type);
    }
  }

  void add(const std::vector<Attribute>& attributes, const Op& op, const std::string& type) {
    std::optional<std::size_t> rank;
    if (!op.outputs.empty() && op.outputs[0].shape) rank = op.outputs[0].shape->size();
    types_.insert(type);
    for (const Attribute& attribute : attributes)
      if (!contains(unimportant, attribute.name) && !is_usual(attribute, op.type))
        all_[shared_name(attribute.name, op.type)].push_back(
            {attribute.name, &attribute.value, rank, type});
  }

  /// Of `add`, PyTorch writes the factor of its second operand.
  static bool is_usual(const Attribute& attribute, const std::string& type) {
    const auto* factor = std::get_if<std::int64_t>(&attribute.value);
    return attribute.name == "alpha" && contains(arithmetic, type) && factor && *factor == 1;
  }

  static std::string shared_name(const std::string& name, const std::string& type) {
    if (contains(arithmetic, type) && contains(constants, name)) return type + " constant";
    if (type == "leaky_relu" && name == "alpha") return "negative_slope";
    const std::string_view torch = paired_with(name, pairs);
    return torch.empty() ? name : std::string(torch);
  }

  const ConnectedGraph& graph_;
  std::map<std::string, std::vector<Setting>> all_;
  std::set<std::string> types_;
};

std::string in_words(const Setting& one, const Setting& other) {
  if (one.name == other.name)
    return "`" + one.name + "` is " + setting_text(*one.value) + " against " +
           setting_text(*other.value);
  return "`" + one.name + "` is " + setting_text(*one.value) + " against `" + other.name + "` " +
         setting_text(*other.value);
}

/// Those of operators that the other side has, too: one may pad in an op of its own.
std::vector<Setting> of_types_in(const std::vector<Setting>& others,
                                 std::vector<Setting> settings) {
  std::erase_if(settings, [&](const Setting& setting) {
    return std::ranges::none_of(
        others, [&](const Setting& other) { return other.operator_name == setting.operator_name; });
  });
  return settings;
}

/// Of a sum and of a concatenation, an axis is not the same setting.
bool are_of_other_axes(const Setting& one, const Setting& other) {
  return one.operator_name != other.operator_name && one.name != other.name &&
         (one.name == "dim" || other.name == "dim");
}

bool is_half(const ConnectedGraph& graph) {
  return std::ranges::any_of(graph.parameters(), [](const Parameter& parameter) {
    return parameter.type.dtype == "float16" || parameter.type.dtype == "bfloat16";
  });
}

} // namespace

std::string setting_difference(const ConnectedGraph& first, const std::vector<OpId>& ops,
                               const ConnectedGraph& second, const std::vector<OpId>& others) {
  const double tolerance = is_half(first) || is_half(second) ? rounding_of_half : rounding;
  const Settings mine(first, ops), theirs(second, others);
  for (const std::string& name : mine.names_with(theirs)) {
    auto one = mine.of(name, theirs), other = theirs.of(name, mine);
    if (one.size() != other.size()) {
      const auto all = one;
      one = of_types_in(other, std::move(one));
      other = of_types_in(all, std::move(other));
    }
    if (one.size() != other.size()) continue;
    for (std::size_t i = 0; i < one.size(); ++i)
      if (!are_of_other_axes(one[i], other[i]) && differ(one[i], other[i], tolerance))
        return in_words(one[i], other[i]);
  }
  return {};
}

} // namespace model_validator
