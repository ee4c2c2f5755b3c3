#include "validators/suggestions/op_family.h"

#include <model_validator/data/words.h>

namespace model_validator {
namespace {

constexpr auto families = word_array<
    "__and__=bitwise_and __or__=bitwise_or __xor__=bitwise_xor _log_softmax=log_softmax "
    "_softmax=softmax absolute=abs bmm=matmul clip=clamp concat=cat concatenate=cat "
    "constant_pad_nd=pad divide=div greater=gt greater_equal=ge grid_sampler=grid_sample "
    "less=lt less_equal=le linalg_norm=norm linalg_vector_norm=norm mm=matmul multiply=mul "
    "negative=neg not_equal=ne rsub=sub special_expit=sigmoid split_with_sizes=split "
    "subtract=sub true_divide=div">;

} // namespace

std::string_view op_family(std::string_view type) {
  if (type.starts_with("upsample_")) return "interpolate";
  const std::string_view family = paired_with(type, families);
  return family.empty() ? type : family;
}

} // namespace model_validator
