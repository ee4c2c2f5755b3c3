#include "validators/suggestions/op_family.h"

#include <algorithm>
#include <array>
#include <utility>

namespace model_validator {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array families = std::to_array<Pair>({
    {"__and__", "bitwise_and"},
    {"__or__", "bitwise_or"},
    {"__xor__", "bitwise_xor"},
    {"_log_softmax", "log_softmax"},
    {"_softmax", "softmax"},
    {"absolute", "abs"},
    {"bmm", "matmul"},
    {"clip", "clamp"},
    {"concat", "cat"},
    {"concatenate", "cat"},
    {"constant_pad_nd", "pad"},
    {"divide", "div"},
    {"greater", "gt"},
    {"greater_equal", "ge"},
    {"grid_sampler", "grid_sample"},
    {"less", "lt"},
    {"less_equal", "le"},
    {"linalg_norm", "norm"},
    {"linalg_vector_norm", "norm"},
    {"mm", "matmul"},
    {"multiply", "mul"},
    {"negative", "neg"},
    {"not_equal", "ne"},
    {"rsub", "sub"},
    {"special_expit", "sigmoid"},
    {"split_with_sizes", "split"},
    {"subtract", "sub"},
    {"true_divide", "div"},
});
static_assert(std::ranges::is_sorted(families, {}, &Pair::first));

} // namespace

std::string_view op_family(std::string_view type) {
  if (type.starts_with("upsample_")) return "interpolate";
  const auto* found = std::ranges::lower_bound(families, type, {}, &Pair::first);
  return found == families.end() || found->first != type ? type : found->second;
}

} // namespace model_validator
