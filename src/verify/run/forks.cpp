#include "verify/run/forks.h"

#include "verify/run/failure.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/verify/interpreter.h>
#include <model_validator/verify/verify.h>

#include <ATen/Functions.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace model_validator::verify {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
namespace prim = torch::jit::prim;

std::string type_of(const Node& node) {
  std::string type = node.kind().toUnqualString();
  while (type.size() > 1 && type.back() == '_') type.pop_back();
  return type;
}

std::string text_of(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

/// An assertion: one of its ways ends the run.
bool raises(const Block& block) {
  return std::ranges::any_of(block.nodes(), [](const Node* node) {
    return node->kind() == prim::RaiseException ||
           std::ranges::any_of(node->blocks(), [](const Block* inner) { return raises(*inner); });
  });
}

bool is_number(const Value& value) {
  const auto kind = value.type()->kind();
  return kind == c10::TypeKind::BoolType || kind == c10::TypeKind::IntType ||
         kind == c10::TypeKind::FloatType || kind == c10::TypeKind::NumberType ||
         kind == c10::TypeKind::SymIntType;
}

/// What a model is run with decides neither of these.
bool describes_kind(const std::string& type) {
  static const std::set<std::string> types{"dim",
                                           "dtype",
                                           "device",
                                           "is_cuda",
                                           "layout",
                                           "is_complex",
                                           "is_floating_point",
                                           "is_mkldnn",
                                           "requires_grad",
                                           "is_quantized",
                                           "__is__",
                                           "__isnot__",
                                           "isinstance",
                                           "is_sparse",
                                           "is_nested",
                                           "is_cpu",
                                           "is_mps",
                                           "is_xpu",
                                           "is_meta",
                                           "_is_zerotensor"};
  return types.contains(type);
}

/// The values that an operator holds its operand to, and whether each counts.
std::vector<std::pair<double, bool>> limits_of(const std::string& type,
                                               const std::vector<c10::IValue>& inputs) {
  if (type == "relu6") return {{0, false}, {6, true}};
  if (type == "hardswish" || type == "hardsigmoid") return {{-3, false}, {3, true}};
  std::vector<std::pair<double, bool>> limits;
  const auto add = [&](std::size_t at, bool above) {
    if (at < inputs.size() && inputs[at].isScalar())
      limits.emplace_back(inputs[at].toScalar().toDouble(), above);
  };
  if (type == "clamp" || type == "hardtanh") {
    add(1, false);
    add(2, true);
  }
  if (type == "clamp_min") add(1, false);
  if (type == "clamp_max") add(1, true);
  return limits;
}

bool joins_truths(const std::string& type) {
  static const std::set<std::string> types{
      "logical_and", "logical_or",  "logical_xor", "logical_not", "bitwise_and",
      "bitwise_or",  "bitwise_xor", "bitwise_not", "__and__",     "__or__"};
  return types.contains(type);
}

/// The operands that are masks.
std::vector<std::size_t> masks_of(const std::string& type) {
  if (type == "where") return {0};
  if (type == "masked_fill") return {1};
  return joins_truths(type) ? std::vector<std::size_t>{0, 1} : std::vector<std::size_t>{};
}

class Recorder final : public RunObserver {
public:
  void on_enter(const Node& call, const std::vector<c10::IValue>&) override {
    callers_.push_back(&call);
  }
  void on_leave(const Node&) override { callers_.pop_back(); }
  void on_step(const Step&) override {}

  void on_branch(const Node& node, bool taken) override {
    const bool asserts = raises(*node.blocks()[0]) || raises(*node.blocks()[1]);
    if (asserts || !depends_on_inputs(*node.input(0), callers_.size(), 0)) return;
    Fork& fork = fork_at(node, 0, {"true", "false"});
    fork.branches = true;
    fork.taken[taken ? 0 : 1] = true;
  }

  void before_step(const Node& node, const std::vector<c10::IValue>& inputs) override {
    const std::string type = type_of(node);
    look_at_masks(node, type, inputs);
    const auto limits = limits_of(type, inputs);
    if (limits.empty() || !inputs.front().isTensor()) return;
    const at::Tensor values = inputs.front().toTensor();
    if (values.numel() == 0 || values.is_complex() || values.is_meta()) return;
    const double least = values.min().item().toDouble(), most = values.max().item().toDouble();
    std::size_t number = 0;
    for (const auto& [limit, above] : limits) {
      const std::string text = text_of(limit);
      Fork& fork = above ? fork_at(node, number++, {"above " + text, "up to " + text})
                         : fork_at(node, number++, {"below " + text, "from " + text + " on"});
      fork.taken[0] = fork.taken[0] || (above ? most > limit : least < limit);
      fork.taken[1] = fork.taken[1] || (above ? least <= limit : most >= limit);
    }
  }

  std::vector<Fork> forks;

private:
  using Place = std::pair<std::vector<const Node*>, std::pair<const Node*, std::size_t>>;

  void look_at_masks(const Node& node, const std::string& type,
                     const std::vector<c10::IValue>& inputs) {
    const bool joins = joins_truths(type);
    for (const std::size_t at : masks_of(type)) {
      if (at >= inputs.size() || !inputs[at].isTensor()) continue;
      // Of truths that are joined, each is told with what makes it.
      const Node& by = joins ? *node.input(at)->node() : node;
      if (!joins || (!joins_truths(type_of(by)) && by.kind() != prim::Param))
        look_at_mask(by, inputs[at].toTensor());
    }
  }

  void look_at_mask(const Node& node, const at::Tensor& mask) {
    if (mask.numel() == 0 || mask.scalar_type() != c10::kBool || mask.is_meta()) return;
    Fork& fork = fork_at(node, 0, {"true", "false"});
    fork.taken[0] = fork.taken[0] || mask.any().item().toBool();
    fork.taken[1] = fork.taken[1] || !mask.all().item().toBool();
  }

  Fork& fork_at(const Node& node, std::size_t number, std::pair<std::string, std::string> ways) {
    const auto [found, is_new] = places_.try_emplace({callers_, {&node, number}}, forks.size());
    if (is_new) {
      Fork fork;
      const auto place = user_location(node, callers_);
      fork.name = "`" + (node.kind() == prim::If ? "if" : type_of(node)) + "`" +
                  (place.known() ? " at " + place.file.substr(place.file.rfind('/') + 1) + ":" +
                                       std::to_string(place.line)
                                 : "");
      fork.ways[0] = std::move(ways.first);
      fork.ways[1] = std::move(ways.second);
      forks.push_back(std::move(fork));
    }
    return forks[found->second];
  }

  /// Whether sizes, or values of tensors, decide a number. @param depth  of calls around it
  bool depends_on_inputs(const Value& value, std::size_t depth, std::size_t followed) const {
    constexpr std::size_t most = 64;
    if (followed == most || !is_number(value)) return false;
    const Node& node = *value.node();
    if (node.kind() == prim::Constant || node.kind() == prim::GetAttr) return false;
    if (node.kind() == prim::Param) return is_given(value, depth, followed);
    if (describes_kind(type_of(node))) return false;
    const auto decides = [&](const Value* input) {
      return input->type()->kind() == c10::TypeKind::TensorType ||
             depends_on_inputs(*input, depth, followed + 1);
    };
    return std::ranges::any_of(node.inputs(), decides);
  }

  /// What a method is given comes from its caller; the first method is given inputs.
  bool is_given(const Value& value, std::size_t depth, std::size_t followed) const {
    const auto& graph = *value.owningGraph();
    if (value.node() != graph.param_node()) return false; // of a loop
    if (depth == 0) return true;
    const Node& call = *callers_[depth - 1];
    const auto given = call.inputs();
    const std::size_t count = graph.inputs().size(), at = value.offset();
    if (count > given.size() || at + given.size() < count) return false;
    return depends_on_inputs(*given[at + given.size() - count], depth - 1, followed + 1);
  }

  std::vector<const Node*> callers_;
  std::map<Place, std::size_t> places_;
};

bool may_fork(const Block& block) {
  return std::ranges::any_of(block.nodes(), [](const Node* node) {
    const std::string type = type_of(*node);
    static const std::set<std::string> bounded{"relu6",       "hardswish", "hardsigmoid", "clamp",
                                               "hardtanh",    "clamp_min", "clamp_max",   "where",
                                               "masked_fill", "If"};
    return bounded.contains(type) ||
           std::ranges::any_of(node->blocks(), [](const Block* inner) { return may_fork(*inner); });
  });
}

} // namespace

void add_forks(std::vector<Fork>& forks, std::vector<Fork> others) {
  for (Fork& other : others) {
    const auto same = std::ranges::find_if(forks, [&](const Fork& fork) {
      return fork.name == other.name && fork.ways[0] == other.ways[0] &&
             fork.branches == other.branches;
    });
    if (same == forks.end()) {
      forks.push_back(std::move(other));
      continue;
    }
    for (const int way : {0, 1}) same->taken[way] = same->taken[way] || other.taken[way];
  }
}

bool has_forks(const torch::jit::Module& module) {
  for (const auto& each : module.modules())
    for (const auto& method : each.get_methods())
      if (may_fork(*method.graph()->block())) return true;
  return false;
}

std::vector<Fork> forks_met(torch::jit::Module& module, const std::vector<c10::IValue>& inputs) {
  Recorder recorder;
  const c10::NoGradGuard no_gradients;
  Interpreter(module).run(clone_inputs(inputs), &recorder);
  return std::move(recorder.forks);
}

} // namespace model_validator::verify
