#include "introspection/op_settings.h"

#include "connected_graph/canonical_type.h"
#include "connected_graph/operators.h"
#include "text/numbers.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
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
/// What an operator multiplies by, adds, or bounds what it yields by.
constexpr auto factors_terms_and_bounds =
    word_array<"alpha beta gamma scale input_scale negative_slope activation_params "
               "activation_alpha activation_beta lambd softcap min max min_val max_val">;
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

/// What a part of the type of an operator says where one of another type has a setting.
struct WordInType {
  std::string_view part, operator_name, setting, word;
};
constexpr std::array<WordInType, 6> words_in_types{
    {{"upsample_nearest", "interpolate", "mode", "nearest"},
     {"upsample_bilinear", "interpolate", "mode", "linear"},
     {"upsample_trilinear", "interpolate", "mode", "linear"},
     {"upsample_bicubic", "interpolate", "mode", "cubic"},
     {"erf", "gelu", "approximate", "none"},
     {"tanh", "gelu", "approximate", "tanh"}}};

/// One setting of a unit.
struct Setting {
  std::string name; ///< as its format has it
  const AttributeValue* value;
  std::optional<std::size_t> rank = {}; ///< of what the op yields, where it is known
  std::string operator_name = {};       ///< canonical
  OpId op = none;
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

/// Of `grid_sampler` PyTorch's code keeps the number of what ONNX writes as a word.
struct NumberedWords {
  std::string_view name;
  std::vector<std::string_view> words; ///< by number, as versions of ONNX spell them
};
const std::vector<NumberedWords>& numbered_words() {
  static const std::vector<NumberedWords> all{
      {"interpolation_mode", {"bilinear linear", "nearest", "bicubic cubic"}},
      {"padding_mode", {"zeros", "border", "reflection"}}};
  return all;
}

/// Whether a number of PyTorch's stands for another word; also where it is not known.
bool is_another_word(const Setting& number, const Setting& word) {
  const auto* which = std::get_if<std::int64_t>(number.value);
  const auto* text = std::get_if<std::string>(word.value);
  for (const NumberedWords& row : numbered_words()) {
    if (row.name != number.name || which == nullptr || text == nullptr || *which < 0) continue;
    const auto at = static_cast<std::size_t>(*which);
    return at < row.words.size() && row.words[at].find(*text) == std::string_view::npos;
  }
  return false;
}

/// Pads in PyTorch's order, the last axis first, without the axes that have none.
Numbers pads_from_the_last(const Numbers& numbers, const std::string& name) {
  Numbers pads = numbers;
  const std::size_t axes = numbers.size() / 2;
  if (name == "pads")
    for (std::size_t axis = 0; axis < axes; ++axis) {
      pads[2 * (axes - 1 - axis)] = numbers[axis];
      pads[2 * (axes - 1 - axis) + 1] = numbers[axes + axis];
    }
  while (pads.size() > 1 && pads.back() == 0 && pads[pads.size() - 2] == 0)
    pads.resize(pads.size() - 2);
  return pads;
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

/// Of a shape, a size that is that of the operand or what is left is no size to compare.
bool leaves_size_open(const std::string& name, const Numbers& numbers) {
  return name == "shape" && std::ranges::any_of(numbers, [](double size) { return size <= 0; });
}

/// Whether words differ, or a number and the word that it stands for.
bool words_differ(const Setting& one, const Setting& other) {
  if (is_another_word(one, other) || is_another_word(other, one)) return true;
  const bool alike = one.value->index() == other.value->index();
  return alike && std::holds_alternative<std::string>(*one.value) && *one.value != *other.value;
}

/// Of settings with one meaning under two names.
bool numbers_differ(const Setting& one, Numbers mine, const Setting& other, Numbers theirs,
                    double tolerance) {
  mine = with_both_sides(std::move(mine), one.name);
  theirs = with_both_sides(std::move(theirs), other.name);
  if (mine.size() != theirs.size()) return false; // written in another way
  if (std::ranges::any_of(mine, is_negative) == std::ranges::any_of(theirs, is_negative))
    return !close(mine, theirs, tolerance);
  const auto rank = one.rank ? one.rank : other.rank;
  const auto first = from_the_front(mine, rank), second = from_the_front(theirs, rank);
  return first && second && !close(*first, *second, tolerance);
}

/// Whether both are known and differ.
bool differ(const Setting& one, const Setting& other, double tolerance) {
  if (one.name != other.name && (one.name == "align_corners" || other.name == "align_corners"))
    return aligns_corners(one) != aligns_corners(other);
  const auto a = numbers_of(*one.value), b = numbers_of(*other.value);
  if (!a || !b) return words_differ(one, other);
  if (one.name == "pad" || other.name == "pad")
    return !close(pads_from_the_last(*a, one.name), pads_from_the_last(*b, other.name), tolerance);
  if (leaves_size_open(one.name, *a) || leaves_size_open(other.name, *b)) return false;
  return one.name == other.name ? !close(*a, *b, tolerance)
                                : numbers_differ(one, *a, other, *b, tolerance);
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
    if (auto implied = implied_for(name, others); !implied.empty()) return implied;
    std::vector<Setting> left_out;
    for (const Setting& other : others.all_.at(name)) {
      const auto usual = usual_settings().find({other.operator_name, name});
      if (usual != usual_settings().end() && types_.count(other.operator_name) != 0)
        left_out.push_back({name, &usual->second, {}, other.operator_name});
    }
    return left_out;
  }

  bool has_type(const std::string& type) const { return types_.count(type) != 0; }

  /// But for those in whose place another format has several.
  bool has_types_of(const Settings& others) const {
    constexpr auto parts = word_array<"add sub mul div pow sqrt rsqrt reciprocal neg">;
    return std::ranges::all_of(others.types_, [&](const std::string& type) {
      return has_type(type) || contains(parts, type);
    });
  }

  bool has_setting(const std::string& name) const { return all_.count(name) != 0; }

  std::set<std::string> names_with(const Settings& others) const {
    std::set<std::string> names;
    for (const Settings* each : {this, &others})
      for (const auto& [name, settings] : each->all_) names.insert(name);
    return names;
  }

private:
  /// As `fast_gelu` is, too.
  bool has_kind_of(const std::string& type) const {
    return std::ranges::any_of(types_, [&](const std::string& own) { return own.ends_with(type); });
  }

  /// None of an operator that stands beside the one with the setting, or on both sides.
  std::vector<Setting> implied_for(const std::string& name, const Settings& others) const {
    const auto found = implied_.find(name);
    if (found == implied_.end()) return {};
    std::vector<Setting> implied = found->second;
    std::erase_if(implied, [&](const Setting& setting) {
      return has_kind_of(setting.operator_name) || others.has_type(setting.name);
    });
    return implied;
  }

  void add(OpId id) {
    const Op& op = graph_.op(id);
    if (op.body)
      for (const Operator& part : *op.body)
        add(part.attributes, id, canonical_type(part.schema, part.attributes));
    else
      add(op.attributes, id, op.type);
    for (const auto edge : boost::make_iterator_range(boost::in_edges(id, graph_.graph()))) {
      const Op& operand = graph_.op(boost::source(edge, graph_.graph()));
      if (operand.kind == OpKind::constant) add(operand.attributes, id, op.type);
    }
  }

  void add(const std::vector<Attribute>& attributes, OpId id, const std::string& type) {
    const Op& op = graph_.op(id);
    std::optional<std::size_t> rank;
    if (!op.outputs.empty() && op.outputs[0].shape) rank = op.outputs[0].shape->size();
    types_.insert(type);
    imply(attributes, id, type);
    for (const Attribute& attribute : attributes)
      if (!contains(unimportant, attribute.name) && !is_usual(attribute, op.type))
        all_[shared_name(attribute.name, op.type)].push_back(
            {attribute.name, &attribute.value, rank, type, id});
  }

  /// What the type says, where another format has a setting for it, or the shape of a group norm's
  /// operand, which exporters normalise as an instance.
  void imply(const std::vector<Attribute>& attributes, OpId id, const std::string& type) {
    const auto add = [&](std::string_view name, const std::string& own_name, AttributeValue value,
                         std::string_view operator_name) {
      held_.push_back(std::move(value));
      implied_[std::string(name)].push_back(
          {own_name, &held_.back(), {}, std::string(operator_name), id});
    };
    for (const WordInType& each : words_in_types)
      if (type.starts_with(each.part))
        add(each.setting, type, std::string(each.word), each.operator_name);
    constexpr std::size_t samples_groups_and_rest = 3;
    for (const Attribute& attribute : attributes)
      if (const auto* shape = std::get_if<std::vector<std::int64_t>>(&attribute.value);
          shape != nullptr && contains({"reshape", "view"}, type) &&
          shape->size() == samples_groups_and_rest && shape->back() == -1)
        add("num_groups", attribute.name, (*shape)[1], "group_norm");
  }

  /// Of `add`, PyTorch writes the factor of its second operand.
  static bool is_usual(const Attribute& attribute, const std::string& type) {
    const auto* factor = std::get_if<std::int64_t>(&attribute.value);
    return attribute.name == "alpha" && contains(arithmetic, type) && factor && *factor == 1;
  }

  static std::string shared_name(const std::string& name, const std::string& type) {
    if (contains(arithmetic, type) && contains(constants, name)) return type + " constant";
    if (type == "leaky_relu" && name == "alpha") return "negative_slope";
    if (type == "pad" && name == "pad") return "padding";
    if (type == "grid_sampler" && name == "mode") return "interpolation_mode";
    const std::string_view torch = paired_with(name, pairs);
    return torch.empty() ? name : std::string(torch);
  }

  const ConnectedGraph& graph_;
  std::map<std::string, std::vector<Setting>> all_, implied_;
  std::list<AttributeValue> held_; ///< that no op has
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

/// Settings of one name on either side, as many here as there.
struct Alike {
  std::vector<Setting> mine, theirs;
};
Alike alike(const std::string& name, const Settings& mine, const Settings& theirs) {
  auto one = mine.of(name, theirs), other = theirs.of(name, mine);
  if (one.size() != other.size()) {
    const auto all = one;
    one = of_types_in(other, std::move(one));
    other = of_types_in(all, std::move(other));
  }
  if (one.size() != other.size()) return {};
  return {one, other};
}

double tolerance_between(const ConnectedGraph& first, const ConnectedGraph& second) {
  return is_half(first) || is_half(second) ? rounding_of_half : rounding;
}

/// Sizes, axes and orders mean something beside their own operator alone, where each side has one
/// of it; a fraction, as an epsilon, is one of whatever an optimiser makes of the operator.
bool can_be_compared(const Alike& settings, std::size_t which) {
  constexpr auto of_windows = word_array<"padding pads stride strides dilation dilations">;
  const Setting &one = settings.mine[which], &other = settings.theirs[which];
  const bool same_operator = one.operator_name == other.operator_name;
  if (std::holds_alternative<double>(*one.value) && std::holds_alternative<double>(*other.value))
    return same_operator || !one.name.ends_with("constant");
  const auto mine = numbers_of(*one.value), theirs = numbers_of(*other.value);
  const bool same_length =
      !mine || !theirs || one.name != other.name || mine->size() == theirs->size();
  return settings.mine.size() == 1 && same_length &&
         (same_operator || contains(of_windows, one.name));
}

/// `x * 1`, `x + 0`, which an optimiser leaves out.
bool changes_nothing(const Setting& setting) {
  constexpr auto of_sums = word_array<"add sub">;
  const double neutral = contains(of_sums, setting.operator_name) ? 0 : 1;
  return std::ranges::all_of(*numbers_of(*setting.value),
                             [neutral](double number) { return number == neutral; });
}

/// `x.pow(2)`, which is `x * x` where there is no operator for it.
bool is_written_in_operators(const Setting& setting, const Settings& others) {
  return setting.operator_name == "pow" && !others.has_type("pow");
}

bool is_fraction(const AttributeValue& value) {
  return std::holds_alternative<double>(value) ||
         std::holds_alternative<std::vector<double>>(value);
}

bool is_epsilon(const Setting& setting) { return contains({"eps", "epsilon"}, setting.name); }

/// What of a setting is a number of arithmetic, too; a norm's epsilon where the others add one.
bool is_loose(const std::string& name, const Setting& setting, const Settings& others) {
  if (!numbers_of(*setting.value)) return false;
  if (name.ends_with(" constant")) return true;
  if (!is_fraction(*setting.value) || does(setting.operator_name, Does::drops_out)) return false;
  return contains(factors_terms_and_bounds, setting.name) ||
         (is_epsilon(setting) && others.has_setting("add constant"));
}

/// The constants that stand beside operands of arithmetic, and the fractions that an optimiser
/// makes settings of what it joins with that, but for those that change nothing.
std::vector<Setting> loose_numbers(const Settings& settings, const Settings& others) {
  std::vector<Setting> found;
  for (const std::string& name : settings.names_with(settings))
    for (const Setting& setting : settings.of(name, settings))
      if (is_loose(name, setting, others) && !changes_nothing(setting) &&
          !is_written_in_operators(setting, others))
        found.push_back(setting);
  return found;
}

/// An epsilon is added.
bool can_stand_for(const Setting& one, const Setting& other) {
  return is_epsilon(one) ? other.operator_name == "add"
                         : !is_epsilon(other) || one.operator_name == "add";
}

/// What an operator multiplies by, where it divides, or adds, where it subtracts.
Numbers effect_of(const Setting& setting) {
  constexpr auto second_operands = word_array<"other input1">;
  Numbers numbers = *numbers_of(*setting.value);
  if (contains(second_operands, setting.name) && contains({"div", "sub"}, setting.operator_name))
    for (double& number : numbers) number = setting.operator_name == "div" ? 1 / number : -number;
  return numbers;
}

SettingDifference shared_setting_difference(const Settings& mine, const Settings& theirs,
                                            double tolerance) {
  for (const std::string& name : mine.names_with(theirs)) {
    const Alike settings = alike(name, mine, theirs);
    const auto& [one, other] = settings;
    for (std::size_t i = 0; i < one.size(); ++i)
      if (can_be_compared(settings, i) && differ(one[i], other[i], tolerance))
        return {in_words(one[i], other[i]), one[i].op};
  }
  return {};
}

std::string with_operator(const Setting& setting, const std::string& verb) {
  return "`" + setting.name + "` of `" + setting.operator_name + "` " + verb +
         setting_text(*setting.value);
}

SettingDifference constant_difference(const Settings& mine, const Settings& theirs,
                                      double tolerance) {
  auto one = loose_numbers(mine, theirs), other = loose_numbers(theirs, mine);
  std::erase_if(one, [&](const Setting& setting) {
    const auto found = std::ranges::find_if(other, [&](const Setting& each) {
      return close(effect_of(setting), effect_of(each), tolerance);
    });
    const bool is_there = found != other.end();
    if (is_there) other.erase(found);
    return is_there;
  });
  if (one.size() != 1 || other.size() > 1) return {};
  const Setting& left = one.front();
  if (other.empty() ? is_epsilon(left) : !can_stand_for(left, other.front())) return {};
  if (!other.empty())
    return {left.operator_name == other.front().operator_name
                ? in_words(left, other.front())
                : with_operator(left, "is ") + " against " + with_operator(other.front(), ""),
            left.op};
  if (!mine.has_types_of(theirs)) return {};
  return {"the candidate has nothing in place of the constant " + setting_text(*left.value) +
              " of `" + left.operator_name + "`",
          left.op};
}

} // namespace

std::string setting_difference(const ConnectedGraph& first, const std::vector<OpId>& ops,
                               const ConnectedGraph& second, const std::vector<OpId>& others) {
  const double tolerance = tolerance_between(first, second);
  const Settings mine(first, ops), theirs(second, others);
  for (const std::string& name : mine.names_with(theirs)) {
    const auto [one, other] = alike(name, mine, theirs);
    for (std::size_t i = 0; i < one.size(); ++i)
      if (!are_of_other_axes(one[i], other[i]) && differ(one[i], other[i], tolerance))
        return in_words(one[i], other[i]);
  }
  return {};
}

RegionDifferences region_differences(const ConnectedGraph& first, const std::vector<OpId>& ops,
                                     const ConnectedGraph& second,
                                     const std::vector<OpId>& others) {
  const double tolerance = tolerance_between(first, second);
  const Settings mine(first, ops), theirs(second, others);
  return {shared_setting_difference(mine, theirs, tolerance),
          constant_difference(mine, theirs, tolerance)};
}

} // namespace model_validator
