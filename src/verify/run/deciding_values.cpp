#include "verify/run/deciding_values.h"

#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>

#include <map>
#include <optional>
#include <set>
#include <string>

namespace model_validator::verify {
namespace {

/// Operators that return a number computed from a tensor's values.
bool reads_values(const std::string& kind) {
  static const std::set<std::string> kinds{
      "aten::Bool",           "aten::Complex",        "aten::Float",    "aten::Int",
      "aten::IntImplicit",    "aten::FloatImplicit",  "aten::item",     "aten::is_nonzero",
      "aten::ScalarImplicit", "aten::equal",          "aten::allclose", "aten::_local_scalar_dense",
      "prim::tolist",         "aten::ComplexImplicit"};
  return kinds.count(kind) != 0;
}

bool is_none(const torch::jit::Stack& stack, std::size_t i) {
  return i >= stack.size() || stack[i].isNone();
}

/// `repeat_interleave(repeats)` and `repeat_interleave(self, repeats)`, unless the size is given.
std::optional<std::size_t> of_repeat_interleave(const torch::jit::Stack& stack) {
  const bool of_self = stack.size() > 2;
  if (!is_none(stack, of_self ? 3 : 1)) return std::nullopt;
  const std::size_t repeats = of_self ? 1 : 0;
  return stack[repeats].isTensor() ? std::optional(repeats) : std::nullopt;
}

/// The argument whose values decide the shape of the result.
std::optional<std::size_t> deciding_argument(const std::string& kind,
                                             const torch::jit::Stack& stack) {
  static const std::map<std::string, std::size_t> always{{"aten::nonzero", 0},
                                                         {"aten::nonzero_numpy", 0},
                                                         {"aten::argwhere", 0},
                                                         {"aten::unique_dim", 0},
                                                         {"aten::_unique", 0},
                                                         {"aten::_unique2", 0},
                                                         {"aten::unique_consecutive", 0},
                                                         {"aten::unique_dim_consecutive", 0},
                                                         {"aten::bincount", 0},
                                                         {"aten::masked_select", 1},
                                                         {"aten::_pack_padded_sequence", 1},
                                                         {"aten::_pad_packed_sequence", 1},
                                                         {"torchvision::nms", 0}};
  if (const auto found = always.find(kind); found != always.end()) return found->second;
  if (kind == "aten::index" && any_tensor(stack.at(1), is_mask)) return 1;
  if (kind == "aten::__contains__") return 1; // the key that is looked for, not the values
  if (kind == "aten::where" && stack.size() == 1) return 0;
  if (kind == "aten::one_hot" && stack.size() > 1 && stack[1].isInt() && stack[1].toInt() < 0)
    return 0;
  if (kind == "aten::tensor_split" && stack.size() > 1 && stack[1].isTensor()) return 1;
  if (kind == "aten::repeat_interleave") return of_repeat_interleave(stack);
  return std::nullopt;
}

} // namespace

bool is_mask(const at::Tensor& tensor) {
  return tensor.scalar_type() == c10::kBool || tensor.scalar_type() == c10::kByte;
}

void refuse_data_dependent(const torch::jit::Node& node) {
  throw Error(ErrorKind::data_dependent, "",
              "what `" + std::string(node.kind().toQualString()) +
                  "` returns depends on the values of a tensor",
              "run the model with values to learn its shapes");
}

bool values_decide(const torch::jit::Node& node, const torch::jit::Stack& stack,
                   const Unknown& unknown) {
  const std::string kind = node.kind().toQualString();
  if (reads_values(kind)) {
    for (const auto& value : stack)
      if (any_tensor(value, unknown)) refuse_data_dependent(node);
    return true;
  }
  const auto argument = deciding_argument(kind, stack);
  if (!argument || *argument >= stack.size()) return false;
  const bool mask_only = kind == "aten::index";
  if (any_tensor(stack[*argument], [&](const at::Tensor& tensor) {
        return unknown(tensor) && (!mask_only || is_mask(tensor));
      }))
    refuse_data_dependent(node);
  return true;
}

} // namespace model_validator::verify
