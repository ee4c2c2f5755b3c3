#include "connected_graph/onnx/chain_forms.h"

#include "connected_graph/onnx/attributes.h"
#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/onnx_file.h"
#include "connected_graph/onnx/tensor.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace model_validator::onnx_format {
namespace {

using Graph = ::onnx::GraphProto;
using Node = ::onnx::NodeProto;

bool is_number(const AttributeValue& value, double wanted) {
  if (const auto* real = std::get_if<double>(&value)) return *real == wanted;
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    return static_cast<double>(*whole) == wanted;
  return false;
}

class Chains {
public:
  Chains(const Graph& graph, const Scope& scope, const GraphLinks& links, const OnnxFile& source,
         FormList& forms)
      : graph_(graph), scope_(scope), links_(links), source_(source), forms_(forms) {}

  void read() {
    if (!has_product() && !has_greatest() && !has_any({"DequantizeLinear", "QuantizeLinear"}) &&
        !has_any({"Pow", "LSTM", "GRU", "Identity", "Cast"}))
      return;
    look_at_strings();
    for (const Node& node : graph_.node()) look_at_ends(node);
  }

private:
  /// At a node with which a chain may end.
  void look_at_ends(const Node& node) {
    if (is_standard(node, "LSTM") || is_standard(node, "GRU")) look_at_recurrence(node);
    if (is_of_pair(node, "DequantizeLinear")) look_at_pair(node);
    if (is_standard(node, "DequantizeLinear") || is_standard(node, "QuantizeLinear"))
      look_at_steps(node);
    if (is_standard(node, "Add")) look_at_norm(node);
    if (is_standard(node, "Cast")) look_at_cast_back(node);
    if (node.input_size() != 2) return;
    if (is_standard(node, "Mul")) look_at(node);
    if (is_standard(node, "Equal")) look_at_equality(node);
  }

  bool has_product() const {
    bool product = false, quotient = false;
    for (const Node& node : graph_.node()) {
      product = product || is_standard(node, "Mul");
      quotient = quotient || is_standard(node, "Div");
    }
    return product && quotient;
  }

  bool has(std::string_view type) const {
    return std::ranges::any_of(graph_.node(),
                               [type](const Node& node) { return is_standard(node, type); });
  }

  bool has_any(const std::vector<std::string_view>& types) const {
    return std::ranges::any_of(graph_.node(), [&](const Node& node) {
      return contains(types, std::string_view(node.op_type()));
    });
  }

  bool has_greatest() const {
    return std::ranges::any_of(graph_.node(), is_greatest) && has("Equal");
  }

  static bool is_greatest(const Node& node) {
    return is_standard(node, "ReduceMax") || is_standard(node, "ReduceMin");
  }

  /// Also as ONNX Runtime has it in a domain of its own.
  static bool is_of_pair(const Node& node, std::string_view type) {
    return is_standard(node, type) || (node.op_type() == type && node.domain() == "com.microsoft");
  }

  /// ONNX Runtime takes what does nothing away and then, in one pass, makes `x * (1 / y)` of `x /
  /// y`, by a name that is gone; where it meets them in that order.
  void look_at(const Node& product) {
    for (const int side : {0, 1}) {
      const std::string& value = product.input(side);
      const std::string& scale = product.input(1 - side);
      const Node *first = links_.maker(value), *second = links_.maker(scale);
      if (first == nullptr || second == nullptr || links_.place(value) > links_.place(scale))
        continue;
      if (links_.is_result(value) || links_.is_result(scale) || links_.reads(scale) != 1) continue;
      if (!does_nothing(*first, value) || !is_reciprocal(*second) || may_come_from(*second, value))
        continue;
      forms_.add("nothing-then-scale", spoken(*first) + " changes nothing, and " + spoken(product) +
                                           " scales its result by 1 / `" + second->input(1) + "`");
      return;
    }
  }

  /// Whether a node may be computed from a value: it is met later, then, in any order.
  bool may_come_from(const Node& node, const std::string& value) const {
    constexpr std::size_t max_seen = 64;
    std::vector<const Node*> next{&node};
    std::set<const Node*> seen;
    while (!next.empty()) {
      const Node& one = *next.back();
      next.pop_back();
      for (const std::string& name : one.input()) {
        if (name == value) return true;
        const Node* made = links_.maker(name);
        if (made == nullptr || links_.place(name) < links_.place(value) ||
            !seen.insert(made).second)
          continue;
        if (seen.size() > max_seen) return true;
        next.push_back(made);
      }
    }
    return false;
  }

  bool has_sixteen_bits(const std::string& value) const {
    const Binding* found = scope_.find(value);
    return found != nullptr && (found->type.dtype == "int16" || found->type.dtype == "uint16");
  }

  /// A value that is rounded to sixteen bits and read at once.
  void look_at_pair(const Node& read) {
    const Node* made = read.input_size() > 0 ? links_.maker(read.input(0)) : nullptr;
    if (made == nullptr || !is_of_pair(*made, "QuantizeLinear") || made->input_size() == 0) return;
    if (!has_sixteen_bits(read.input(0)) || links_.is_result(read.input(0))) return;
    const Binding* rounded = links_.bound(*made, 0);
    const bool alone = !scope_.is_inner() && links_.is_result(read.output(0)) &&
                       links_.maker(made->input(0)) == nullptr && rounded != nullptr &&
                       !rounded->stored() && rounded->type.dtype != "float16";
    forms_.add(alone ? "sixteen-bits-alone" : "sixteen-bits",
               spoken(*made) + " rounds " + (alone ? "an input of the model" : "a value") +
                   " to 16 bits, and " + spoken(read) +
                   (alone ? " yields it as a result" : " reads it"));
  }

  /// Strings that come in and go out, and are nowhere computed with.
  void look_at_strings() {
    // The first node that does, by value.
    std::unordered_map<std::string_view, const Node*> handed_on;
    for (const Node& node : graph_.node()) {
      if (!is_standard(node, "Identity") || node.input_size() == 0 || node.output_size() == 0)
        continue;
      const auto before = handed_on.find(node.input(0));
      const Binding* entry =
          links_.maker(node.input(0)) == nullptr ? links_.bound(node, 0) : nullptr;
      if (before != handed_on.end())
        handed_on.emplace(node.output(0), before->second);
      else if (entry != nullptr && !entry->stored() && entry->type.dtype == "string")
        handed_on.emplace(node.output(0), &node);
    }
    for (const auto& result : graph_.output())
      if (const auto found = handed_on.find(result.name()); found != handed_on.end())
        forms_.add("strings-yielded", spoken(*found->second) +
                                          " hands on strings that are an input "
                                          "of the model to its results");
  }

  bool has_four_bits(const Node& read) const {
    const Binding* numbers = links_.bound(read, 0);
    return is_standard(read, "DequantizeLinear") && numbers != nullptr &&
           numbers->type.dtype == "int4";
  }

  /// A sequence that is widened right before it is read.
  void look_at_recurrence(const Node& node) {
    const Node* cast = links_.operand(&node, 0, "Cast");
    const Binding* given = cast == nullptr ? nullptr : links_.bound(*cast, 0);
    const Binding* widened = links_.bound(node, 0);
    if (given != nullptr && widened != nullptr && given->type.dtype == "float16" &&
        widened->type.dtype == "float32")
      forms_.add("recurrence-widened",
                 spoken(node) + " reads what " + spoken(*cast) + " makes of float16");
  }

  /// A value that is narrowed and widened at once.
  void look_at_cast_back(const Node& back) {
    const Node* narrow = links_.operand(&back, 0, "Cast");
    const Binding *given = narrow == nullptr ? nullptr : links_.bound(*narrow, 0),
                  *between = links_.bound(back, 0);
    if (given == nullptr || between == nullptr || given->type.dtype != "float32" ||
        (between->type.dtype != "float16" && between->type.dtype != "bfloat16"))
      return;
    const auto* to = attribute_named(back, "to");
    if (to != nullptr && dtype_name(static_cast<int>(to->i())) == "float32")
      forms_.add("cast-there-and-back", spoken(*narrow) + " rounds a value to " +
                                            between->type.dtype + ", and " + spoken(back) +
                                            " widens it again");
  }

  /// Steps of no size, or of less.
  void look_at_steps(const Node& node) {
    constexpr std::size_t max_scales = 4096;
    const Binding* scale = links_.bound(node, 1);
    if (scale == nullptr || scale->tensor == nullptr || has_four_bits(node)) return;
    const auto numbers = numbers_of(*scale->tensor, source_.filtered, source_.file, max_scales);
    if (numbers && std::ranges::any_of(*numbers, [](double each) { return each <= 0; }))
      forms_.add("scale-not-positive", spoken(node) + " has a scale that is not above 0");
  }

  const Node* either_operand(const Node* node, std::string_view type) const {
    const Node* first = links_.operand(node, 0, type);
    return first != nullptr ? first : links_.operand(node, 1, type);
  }

  /// ONNX Runtime makes one operator of a layer norm that is written out, and does not look to
  /// which power deviations are raised.
  void look_at_norm(const Node& shift) {
    const Node* quotient = either_operand(either_operand(&shift, "Mul"), "Div");
    const Node* deviation = links_.operand(quotient, 0, "Sub");
    const Node* variance =
        either_operand(links_.operand(links_.operand(quotient, 1, "Sqrt"), 0, "Add"), "ReduceMean");
    const Node* power = links_.operand(variance, 0, "Pow");
    if (deviation == nullptr || power == nullptr || links_.operand(power, 0, "Sub") != deviation ||
        links_.operand(deviation, 1, "ReduceMean") == nullptr || power->input_size() != 2)
      return;
    const Binding* exponent = links_.bound(*power, 1);
    if (exponent != nullptr && exponent->literal && !is_number(*exponent->literal, 2))
      forms_.add("norm-power", spoken(*power) + " of a layer norm that ends with " + spoken(shift) +
                                   " does not square");
  }

  /// So does attention guard rows that a mask covers whole.
  void look_at_equality(const Node& equality) {
    for (const int side : {0, 1}) {
      const Node* made = links_.maker(equality.input(side));
      if (made != nullptr && is_greatest(*made) && is_infinite(equality.input(1 - side)))
        forms_.add("greatest-infinite", spoken(equality) + " compares the result of " +
                                            spoken(*made) + " with an infinity");
    }
  }

  /// Also through casts.
  bool is_infinite(const std::string& name) const {
    const Binding* value = scope_.find(name);
    for (const Node* cast = links_.maker(name);
         cast != nullptr &&
         (is_standard(*cast, "Cast") || is_standard(*cast, "CastLike") ||
          is_standard(*cast, "Identity")) &&
         cast->input_size() > 0;
         cast = links_.maker(cast->input(0)))
      value = scope_.find(cast->input(0));
    if (value == nullptr || value->tensor == nullptr) return false;
    const auto numbers = numbers_of(*value->tensor, source_.filtered, source_.file, 1);
    return numbers && numbers->size() == 1 && std::isinf(numbers->front());
  }

  bool is_scalar(const Node& node, int input, double wanted) const {
    const Binding* binding = links_.bound(node, input);
    return binding != nullptr && binding->literal && is_number(*binding->literal, wanted);
  }

  bool is_reciprocal(const Node& node) const {
    return is_standard(node, "Div") && node.input_size() == 2 && is_scalar(node, 0, 1);
  }

  bool does_nothing(const Node& node, const std::string& result) const {
    if (!is_default_domain(node.domain()) || node.input_size() == 0) return false;
    const std::string& type = node.op_type();
    if (type == "Identity") return true;
    if (type == "Dropout") return node.input_size() < 3 && node.output(0) == result;
    if (type == "Cast") return keeps_dtype(node);
    if (type == "Add") return is_scalar(node, 0, 0) || is_scalar(node, 1, 0);
    if (type == "Sub") return is_scalar(node, 1, 0);
    if (type == "Mul") return is_scalar(node, 0, 1) || is_scalar(node, 1, 1);
    return type == "Div" && is_scalar(node, 1, 1);
  }

  bool keeps_dtype(const Node& cast) const {
    const Binding* given = links_.bound(cast, 0);
    if (given == nullptr || given->type.dtype.empty()) return false;
    const auto* to = attribute_named(cast, "to");
    return to != nullptr && dtype_name(static_cast<int>(to->i())) == given->type.dtype;
  }

  const Graph& graph_;
  const Scope& scope_;
  const GraphLinks& links_;
  const OnnxFile& source_;
  FormList& forms_;
};

} // namespace

void add_chain_forms(const Graph& graph, const Scope& scope, const GraphLinks& links,
                     const OnnxFile& source, FormList& forms) {
  Chains(graph, scope, links, source, forms).read();
}

} // namespace model_validator::onnx_format
