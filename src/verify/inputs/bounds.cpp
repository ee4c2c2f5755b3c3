#include "verify/inputs/bounds.h"

#include "connected_graph/operand_parameter.h"
#include "connected_graph/operators.h"
#include "verify/inputs/constant_operand.h"
#include "verify/inputs/graph_readers.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace model_validator::verify {
namespace {

constexpr std::size_t max_bounds = 32, max_ops_followed = 4096;

using Numbers = std::vector<double>;

/// Where operators change that have no setting for it.
const Numbers& bends_of(const std::string& type) {
  static const Numbers none_known;
  static const std::map<std::string, Numbers> bends{
      {"abs", {0}},
      {"acos", {-1, 1}},
      {"asin", {-1, 1}},
      {"atan2", {0}},
      {"atanh", {-1, 1}},
      {"ceil", {-1.5, -0.5, 0.5, 1.5}},
      {"bucketize", {-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2}},
      {"celu", {0}},
      {"elu", {0}},
      {"expm1", {0}},
      {"floor", {-1.5, -0.5, 0.5, 1.5}},
      {"frac", {-1.5, -0.5, 0.5, 1.5}},
      {"gelu", {-4, 0, 4}},
      {"hardsigmoid", {-3, -2.5, 2.5, 3}},
      {"hardswish", {-3, 3}},
      {"hardtanh", {-1, 1}},
      {"leaky_relu", {0}},
      {"log", {0}},
      {"log10", {0}},
      {"log1p", {0}},
      {"log2", {0}},
      {"log_sigmoid", {-20, 0, 20}},
      {"logsigmoid", {-20, 0, 20}},
      {"pow", {0}},
      {"prelu", {0}},
      {"reciprocal", {0}},
      {"relu", {0}},
      {"relu6", {0, 6}},
      {"round", {-1.5, -0.5, 0.5, 1.5, 2.5}},
      {"rsqrt", {0}},
      {"searchsorted", {-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2}},
      {"selu", {0}},
      {"sgn", {0}},
      {"sign", {0}},
      {"softplus", {0, 20}},
      {"sqrt", {0}},
      {"trunc", {-1.5, -0.5, 0.5, 1.5}},
  };
  const auto found = bends.find(type);
  return found == bends.end() ? none_known : found->second;
}

bool compares_order(const std::string& type) {
  static const std::set<std::string> types{"eq", "ge", "gt", "le", "lt", "ne"};
  return types.contains(type);
}

bool divides_whole(const std::string& type) {
  static const std::set<std::string> types{"remainder", "fmod", "floor_divide", "mod", "floordiv"};
  return types.contains(type);
}

bool rounds_its_quotient(const Op& op) {
  return divides_whole(op.type) || (op.type == "div" && constant_of(op, {"rounding_mode"}));
}

/// Keeps or cuts off: `min(x, 5)` has its number as an operand, `clamp(x, max=5)` as a setting.
bool cuts_off(const std::string& type) {
  static const std::set<std::string> types{"clamp",   "clamp_max", "clamp_min", "max",
                                           "maximum", "min",       "minimum"};
  return types.contains(type);
}

std::optional<double> other_operand(const Op& op) {
  return constant_of(op, {"other", "input1", "input0", "self", "b"});
}

struct StatedLimit {
  std::string_view type;
  std::string_view setting;
  std::optional<double> unless_stated = std::nullopt;
};
constexpr std::array stated_limits{
    StatedLimit{"hardtanh", "min_val"},    StatedLimit{"hardtanh", "max_val"},
    StatedLimit{"threshold", "threshold"}, StatedLimit{"thresholded_relu", "alpha", 1},
    StatedLimit{"one_hot", "num_classes"}, StatedLimit{"one_hot", "depth"},
};

/// The numbers that an operator holds its operand to.
Numbers limits_of(const Op& op) {
  Numbers limits;
  const auto add = [&](std::optional<double> number) {
    constexpr double greatest = 1e9; // beyond it stands for infinity
    if (number && std::abs(*number) < greatest) limits.push_back(*number);
  };
  if (compares_order(op.type)) add(other_operand(op));
  if (cuts_off(op.type)) {
    add(constant_of(op, {"min", "input1"}));
    add(constant_of(op, {"max", "input2"}));
    add(constant_of(op, {"other", "input0"}));
  }
  if (rounds_its_quotient(op)) {
    add(0);
    add(other_operand(op));
  }
  if (op.type.ends_with("shrink")) {
    const double edge = constant_of(op, {"lambd"}).value_or(0.5);
    add(edge);
    add(-edge);
  }
  for (const StatedLimit& stated : stated_limits)
    if (op.type == stated.type) {
      const auto number = constant_of(op, {stated.setting});
      add(number ? number : stated.unless_stated);
    }
  return limits;
}

bool computes_element_by_element(const std::string& type) {
  static const std::set<std::string> types{"mul", "div", "neg", "where", "masked_fill", "cumsum"};
  return types.contains(type) || compares_order(type) || divides_whole(type) || cuts_off(type) ||
         does(type, Does::bounds | Does::adds | rearranges | Does::converts | Does::drops_out |
                        Does::cuts | Does::joins | Does::pads) ||
         !bends_of(type).empty();
}

/// Gives other results for small values, or large ones, than in between.
bool depends_on_magnitude(const Op& op, const Numbers& limits) {
  static const std::set<std::string> types{"relu6",       "hardtanh",    "hardswish",
                                           "hardsigmoid", "softplus",    "threshold",
                                           "log",         "log1p",       "expm1",
                                           "rsqrt",       "sqrt",        "layer_norm",
                                           "gelu",        "rms_norm",    "instance_norm",
                                           "group_norm",  "log_sigmoid", "std",
                                           "var",         "norm",        "linalg_vector_norm",
                                           "normalize",   "tanh"};
  return types.contains(op.type) ||
         std::ranges::any_of(limits, [](double limit) { return limit != 0; });
}

bool asks_for_infinity(const std::string& type) {
  return type == "isinf" || type == "isfinite" || type == "nan_to_num";
}

bool drops_boxes(const Op& op, std::size_t operand) { return op.type == "nms" && operand == 0; }

bool grows_with_its_operand(const std::string& type) {
  return type == "sigmoid" || type == "exp" || type == "tanh" || type == "softplus";
}

/// What an op computes of an input: its elements, times a number, plus a number.
struct Form {
  double scale = 1, offset = 0;
  bool inside = false;    ///< it is made of several elements, or in another way
  bool activated = false; ///< of one element each, which grows with it
};

class Search {
public:
  Search(const ConnectedGraph& graph, InputMeaning& meaning, const WeightSampler& sample)
      : graph_(graph), meaning_(meaning), sample_(sample) {}

  void follow(OpId input) {
    forms_[input] = {};
    follow_readers(graph_, input, max_ops_followed, [&](OpId at, OpId reader, std::size_t operand) {
      const Form form = forms_.at(at);
      look_at(reader, operand, form);
      forms_.try_emplace(reader, form_after(graph_.op(reader), operand, form));
      return graph_.op(reader).kind != OpKind::output;
    });
  }

private:
  void look_at(OpId id, std::size_t operand, const Form& form) {
    const Op& op = graph_.op(id);
    const Numbers limits = limits_of(op);
    if (op.kind == OpKind::control_flow && operand == 0) meaning_.decides = true;
    if (form.inside) {
      meaning_.activated_boxes |= form.activated && drops_boxes(op, operand);
      meaning_.magnitudes |= depends_on_magnitude(op, limits);
      return;
    }
    note_kind_of_values(id, operand);
    for (const double limit : bends_of(op.type)) add(limit, form);
    for (const double limit : limits) add(limit, form);
    for (const double limit : stored_beside(id, operand)) add(limit, form);
    if (op.type == "where" && operand == 0) add(0, form);
    look_for_rows(id, operand, form);
  }

  void note_kind_of_values(OpId id, std::size_t operand) {
    const Op& op = graph_.op(id);
    const auto note = [](bool& noted, bool seen) { noted = noted || seen; };
    note(meaning_.magnitudes, op.type.ends_with("_norm"));
    note(meaning_.may_be_nan, asks_for_nan(id));
    note(meaning_.may_be_infinite, asks_for_infinity(op.type));
    note(meaning_.cut_off, cuts_off(op.type));
    note(meaning_.boxes, drops_boxes(op, operand));
    note(meaning_.hashed, is_hash(op));
  }

  /// `x != x` is how decompositions write `isnan(x)`.
  bool asks_for_nan(OpId id) const {
    const std::string& type = graph_.op(id).type;
    if (type != "ne" && type != "eq") return type == "isnan" || asks_for_infinity(type);
    const OpId first = op_at_operand(graph_, id, 0);
    return first != none && first == op_at_operand(graph_, id, 1);
  }

  /// The numbers of a small stored tensor at the other operand.
  Numbers stored_beside(OpId id, std::size_t operand) const {
    const std::string& type = graph_.op(id).type;
    const bool holds = compares_order(type) || type == "bucketize" || type == "searchsorted";
    if (!sample_ || !holds || operand > 1) return {};
    const auto stored = parameter_at_operand(graph_, id, 1 - operand);
    if (!stored) return {};
    const Parameter& parameter = graph_.parameters()[*stored];
    if (parameter.bytes > max_bounds * sizeof(double)) return {};
    return sample_({parameter.path}).front().value_or(Numbers());
  }

  /// Whole numbers become so large, or are divided, that where their bits end matters.
  static bool is_hash(const Op& op) {
    constexpr double large = 1000;
    const auto other = other_operand(op);
    return divides_whole(op.type) || op.type.starts_with("bitwise_") ||
           (op.type == "mul" && other && std::abs(*other) >= large);
  }

  /// The first and the last row that moved numbers gather.
  void look_for_rows(OpId id, std::size_t operand, const Form& form) {
    const std::string& type = graph_.op(id).type;
    const bool moved = form.scale != 1 || form.offset != 0;
    const bool gathers = operand == 1 && (type == "index_select" || type == "embedding");
    if (!moved || !gathers) return;
    const auto table = parameter_at_operand(graph_, id, 0);
    if (!table) return;
    const auto& shape = graph_.parameters()[*table].type.shape;
    if (!shape || shape->empty()) return;
    add(0, form);
    add(static_cast<double>(shape->front() - 1), form);
  }

  void add(double limit, const Form& form) {
    double bound = (limit - form.offset) / form.scale;
    // Rounding decides on which side of it a number lies that is moved: nobody is to blame for
    // that.
    constexpr double aside = 1e-3;
    if (form.scale != std::floor(form.scale) || form.offset != std::floor(form.offset))
      bound += aside * std::max(std::abs(bound), 1.0);
    auto& bounds = meaning_.bounds;
    if (std::isfinite(bound) && bounds.size() < max_bounds && !contains(bounds, bound))
      bounds.push_back(bound);
  }

  static Form negated(const Form& form) { return {-form.scale, -form.offset, form.inside}; }

  static Form scaled(Form form, double factor) {
    form.scale *= factor;
    form.offset *= factor;
    return form;
  }

  static Form form_after(const Op& op, std::size_t operand, Form form) {
    const std::string& type = op.type;
    const bool one_by_one = computes_element_by_element(type);
    if (grows_with_its_operand(type)) return {1, 0, true, !form.inside || form.activated};
    if (form.inside || !one_by_one) return {1, 0, true, form.activated && one_by_one};
    if (type == "neg") return negated(form);
    const bool is_taken_off = operand == (type == "sub" ? 1 : 0);
    if ((type == "sub" || type == "rsub") && is_taken_off) form = negated(form);
    const auto other = other_operand(op);
    return other ? form_with(type, operand, form, *other) : form;
  }

  /// After an operator with a number as its other operand.
  static Form form_with(const std::string& type, std::size_t operand, Form form, double other) {
    if (type == "add" || type == "rsub") form.offset += other;
    if (type == "sub") form.offset += operand == 0 ? -other : other;
    if (other == 0) return form;
    if (type == "mul") return scaled(form, other);
    return type == "div" && operand == 0 ? scaled(form, 1 / other) : form;
  }

  const ConnectedGraph& graph_;
  InputMeaning& meaning_;
  const WeightSampler& sample_;
  std::map<OpId, Form> forms_;
};

// ---- sizes

/// Follows sizes, and positions that are counted up to them.
class SizeSearch {
public:
  explicit SizeSearch(const ConnectedGraph& graph) : graph_(graph) {}

  std::vector<SizeBound> found() {
    for (OpId id = 0; id < graph_.op_count(); ++id) {
      look_for_many(graph_.op(id));
      const std::string& type = graph_.op(id).type;
      if (type == "size" || type == "sym_size" || type == "shape") follow(id);
      if (type == "cumsum") follow(id);
    }
    return std::move(bounds_);
  }

private:
  /// What follows from a size.
  struct Followed {
    std::optional<std::int64_t> dimension;
    bool counted_up = false; ///< positions, whose differences are as large as the size less one
  };

  static std::optional<std::int64_t> dimension_of(const Op& op) {
    const auto at = constant_of(op, {"dim", "indices"});
    return at ? std::optional(static_cast<std::int64_t>(*at)) : std::nullopt;
  }

  void follow(OpId from) {
    constexpr std::size_t most = 256;
    followed_[from] = {dimension_of(graph_.op(from)), graph_.op(from).type == "cumsum"};
    follow_readers(graph_, from, most, [&](OpId at, OpId reader, std::size_t) {
      const Op& op = graph_.op(reader);
      Followed next = followed_.at(at);
      look_at(op, next);
      const bool picks = op.type == "index_select" || op.type == "select" || op.type == "getitem";
      if (picks && !next.dimension) next.dimension = dimension_of(op);
      next.counted_up = next.counted_up || does(op.type, Does::creates);
      followed_.try_emplace(reader, next);
      return goes_on(op);
    });
  }

  static bool goes_on(const Op& op) {
    if (op.kind == OpKind::control_flow || op.kind == OpKind::module) return false;
    if (op.type == "tril" || op.type == "triu") return true;
    return op.kind == OpKind::query || does(op.type, Does::creates) ||
           (computes_element_by_element(op.type) && !compares_order(op.type) &&
            op.type != "where" && op.type != "masked_fill");
  }

  void look_at(const Op& op, const Followed& from) {
    const auto& dimension = from.dimension;
    const bool compares = compares_order(op.type);
    const double beyond = compares && from.counted_up ? 1 : 0;
    if (compares || cuts_off(op.type) || divides_whole(op.type))
      for (const double limit : limits_of(op)) add(std::abs(limit) + beyond, dimension, compares);
    if (op.type == "triu" || op.type == "tril")
      if (const auto band = constant_of(op, {"diagonal", "input1"}))
        add(std::abs(*band) + 1, dimension, false); // diagonals
    constexpr double few = 8;                       // less is part of the arithmetic of shapes
    if (const auto moved = other_operand(op); moved && does(op.type, Does::adds))
      if (std::abs(*moved) > few) add(std::abs(*moved), dimension, false);
  }

  /// What chooses some of many has something to choose from.
  void look_for_many(const Op& op) {
    constexpr double enough = 48;
    if (op.type == "nms") add(enough, std::nullopt, false);
    if (op.type == "argmax" || op.type == "argmin") add(enough, 0, false); // each says little
    if (op.type == "topk")
      if (const auto count = constant_of(op, {"k"})) add(*count, std::nullopt, false);
  }

  void add(double limit, const std::optional<std::int64_t>& dimension, bool compared) {
    constexpr double greatest = 4096;
    if (limit < (compared ? 1 : 2) || limit > greatest || limit != std::floor(limit)) return;
    const SizeBound bound{dimension, static_cast<std::int64_t>(limit)};
    if (bounds_.size() < max_bounds && !contains(bounds_, bound)) bounds_.push_back(bound);
  }

  const ConnectedGraph& graph_;
  std::map<OpId, Followed> followed_;
  std::vector<SizeBound> bounds_;
};

/// The greatest number that an op holds a counter to.
std::size_t count_held_to(const Op& op) {
  constexpr double most = 16;
  double greatest = 0;
  if (compares_order(op.type) || cuts_off(op.type) || divides_whole(op.type))
    for (const double limit : limits_of(op))
      if (limit <= most && limit == std::floor(limit)) greatest = std::max(greatest, limit);
  return static_cast<std::size_t>(greatest);
}

} // namespace

std::size_t calls_to_come_round(const ConnectedGraph& graph) {
  if (graph.state_writes.empty()) return 0;
  std::size_t greatest = 0;
  for (OpId id = 0; id < graph.op_count(); ++id)
    greatest = std::max(greatest, count_held_to(graph.op(id)));
  return greatest == 0 ? 0 : greatest + 2;
}

void find_bounds(const ConnectedGraph& graph, OpId input, InputMeaning& meaning,
                 const WeightSampler& sample) {
  Search(graph, meaning, sample).follow(input);
}

std::vector<SizeBound> find_size_bounds(const ConnectedGraph& graph) {
  return SizeSearch(graph).found();
}

void add_bounds(InputMeaning& meaning, const InputMeaning& other) {
  const auto join = [](auto& own, const auto& others) {
    for (const auto& each : others)
      if (!contains(own, each)) own.push_back(each);
  };
  join(meaning.bounds, other.bounds);
  join(meaning.sizes, other.sizes);
  meaning.may_be_nan |= other.may_be_nan;
  meaning.may_be_infinite |= other.may_be_infinite;
  meaning.cut_off |= other.cut_off;
  meaning.hashed |= other.hashed;
  meaning.boxes |= other.boxes;
  meaning.activated_boxes |= other.activated_boxes;
  meaning.decides |= other.decides;
  meaning.magnitudes |= other.magnitudes;
}

} // namespace model_validator::verify
