#include "verify/inputs/mask_polarity.h"

#include "verify/inputs/constant_operand.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::verify {
namespace {

constexpr double low = -1000; ///< what exporters add to weights of attention to hide an element

/// Follows a mask, negated or not, until an operator shows what its ones do.
class Polarity {
public:
  explicit Polarity(const ConnectedGraph& graph) : graph_(graph) {}

  bool ones_hide(OpId mask) {
    constexpr std::size_t most = 256;
    open_ = {{mask, false}};
    std::set<std::pair<OpId, bool>> seen(open_.begin(), open_.end());
    for (std::size_t next = 0; next < open_.size() && open_.size() < most; ++next) {
      const auto [at, negated] = open_[next];
      const auto [begin, end] = boost::out_edges(at, graph_.graph());
      for (auto edge = begin; edge != end; ++edge) {
        const OpId reader = boost::target(*edge, graph_.graph());
        const std::size_t operand = graph_.graph()[*edge].input;
        if (const auto hides = shown_by(graph_.op(reader), operand)) return *hides != negated;
        const std::pair<OpId, bool> reached{reader, negated != negates(graph_.op(reader), operand)};
        if (seen.insert(reached).second) open_.push_back(reached);
      }
    }
    return false;
  }

private:
  static bool negates(const Op& op, std::size_t operand) {
    const std::string& type = op.type;
    if (type == "logical_not" || type == "bitwise_not" || type == "rsub") return true;
    if (type == "sub") return operand == 1;
    const bool equals = type == "eq" || type == "equal";
    return equals && constant_of(op, {"other", "input0", "input1"}) == 0.0;
  }

  /// Whether what is not negated hides elements where it is one.
  static std::optional<bool> shown_by(const Op& op, std::size_t operand) {
    const auto is_low = [&](std::initializer_list<std::string_view> names) {
      const auto number = constant_of(op, names);
      return number && *number <= low;
    };
    const bool chooses = op.schema == "onnx::Where" || op.type == "where";
    if (chooses && operand == 0) {
      if (is_low({"self", "input1"})) return true;
      if (is_low({"other", "input2"})) return false;
      return std::nullopt;
    }
    if (op.type == "masked_fill" && operand == 1 && is_low({"value"})) return true;
    if (op.type == "mul" && is_low({"other", "self", "input0", "input1"})) return true;
    if (op.type.find("scaled_dot_product") != std::string::npos && operand == 3) return false;
    return std::nullopt;
  }

  const ConnectedGraph& graph_;
  std::vector<std::pair<OpId, bool>> open_; ///< ops, and whether their results are negated
};

} // namespace

bool ones_hide(const ConnectedGraph& graph, OpId mask) { return Polarity(graph).ones_hide(mask); }

} // namespace model_validator::verify
