#include "connected_graph/onnx/chain_forms.h"

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
  Chains(const Graph& graph, const Scope& scope, const OnnxFile& source, FormList& forms)
      : graph_(graph), scope_(scope), source_(source), forms_(forms) {}

  void read() {
    if (!has_product() && !has_greatest()) return;
    for (int place = 0; place < graph_.node_size(); ++place) {
      for (const std::string& name : graph_.node(place).output()) places_.emplace(name, place);
      for (const std::string& name : graph_.node(place).input()) ++readers_[name];
    }
    for (const auto& output : graph_.output()) results_.insert(output.name());
    for (const Node& node : graph_.node()) {
      if (node.input_size() != 2) continue;
      if (is(node, "Mul")) look_at(node);
      if (is(node, "Equal")) look_at_equality(node);
    }
  }

private:
  bool has_product() const {
    bool product = false, quotient = false;
    for (const Node& node : graph_.node()) {
      product = product || is(node, "Mul");
      quotient = quotient || is(node, "Div");
    }
    return product && quotient;
  }

  bool has_greatest() const {
    return std::ranges::any_of(graph_.node(), is_greatest) &&
           std::ranges::any_of(graph_.node(), [](const Node& node) { return is(node, "Equal"); });
  }

  static bool is_greatest(const Node& node) {
    return is(node, "ReduceMax") || is(node, "ReduceMin");
  }

  static bool is(const Node& node, std::string_view type) {
    return node.op_type() == type && is_default_domain(node.domain());
  }

  const Node* maker(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &graph_.node(found->second);
  }

  /// ONNX Runtime takes what does nothing away and then, in one pass, makes `x * (1 / y)` of `x /
  /// y`, by a name that is gone; where it meets them in that order.
  void look_at(const Node& product) {
    for (const int side : {0, 1}) {
      const std::string& value = product.input(side);
      const std::string& scale = product.input(1 - side);
      const Node *first = maker(value), *second = maker(scale);
      if (first == nullptr || second == nullptr || places_.at(value) > places_.at(scale)) continue;
      if (results_.contains(value) || results_.contains(scale) || readers_.at(scale) != 1) continue;
      if (!does_nothing(*first, value) || !is_reciprocal(*second)) continue;
      forms_.add("nothing-then-scale", spoken(*first) + " changes nothing, and " + spoken(product) +
                                           " scales its result by 1 / `" + second->input(1) + "`");
      return;
    }
  }

  /// So does attention guard rows that a mask covers whole.
  void look_at_equality(const Node& equality) {
    for (const int side : {0, 1}) {
      const Node* made = maker(equality.input(side));
      if (made != nullptr && is_greatest(*made) && is_infinite(equality.input(1 - side)))
        forms_.add("greatest-infinite", spoken(equality) + " compares the result of " +
                                            spoken(*made) + " with an infinity");
    }
  }

  /// Also through casts.
  bool is_infinite(const std::string& name) const {
    const Binding* value = scope_.find(name);
    for (const Node* cast = maker(name);
         cast != nullptr && (is(*cast, "Cast") || is(*cast, "CastLike") || is(*cast, "Identity")) &&
         cast->input_size() > 0;
         cast = maker(cast->input(0)))
      value = scope_.find(cast->input(0));
    if (value == nullptr || value->tensor == nullptr) return false;
    const auto numbers = numbers_of(*value->tensor, source_.filtered, source_.file, 1);
    return numbers && numbers->size() == 1 && std::isinf(numbers->front());
  }

  const Binding* bound(const Node& node, int input) const {
    return input < node.input_size() ? scope_.find(node.input(input)) : nullptr;
  }

  bool is_scalar(const Node& node, int input, double wanted) const {
    const Binding* binding = bound(node, input);
    return binding != nullptr && binding->literal && is_number(*binding->literal, wanted);
  }

  bool is_reciprocal(const Node& node) const {
    return is(node, "Div") && node.input_size() == 2 && is_scalar(node, 0, 1);
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
    const Binding* given = bound(cast, 0);
    if (given == nullptr || given->type.dtype.empty()) return false;
    for (const auto& attribute : cast.attribute())
      if (attribute.name() == "to")
        return dtype_name(static_cast<int>(attribute.i())) == given->type.dtype;
    return false;
  }

  const Graph& graph_;
  const Scope& scope_;
  const OnnxFile& source_;
  FormList& forms_;
  std::unordered_map<std::string, int> places_;  ///< of the node that makes a value
  std::unordered_map<std::string, int> readers_; ///< how often a value is read
  std::set<std::string> results_;
};

} // namespace

void add_chain_forms(const Graph& graph, const Scope& scope, const OnnxFile& source,
                     FormList& forms) {
  Chains(graph, scope, source, forms).read();
}

} // namespace model_validator::onnx_format
