#include "introspection/cache_bytes.h"

#include <model_validator/data/dtype.h>

namespace model_validator {
namespace {

bool is_kept(const Port& input) {
  return input.name.find("past") != std::string::npos &&
         input.name.find("encoder") == std::string::npos;
}

} // namespace

std::uint64_t cache_bytes(const std::vector<Port>& inputs) {
  constexpr std::size_t rank = 4, heads = 1, size = 3;
  constexpr std::uint64_t byte = 8;
  std::uint64_t bits = 0;
  for (const Port& input : inputs) {
    const auto dtype = dtype_named(input.type.dtype);
    const auto& shape = input.type.shape;
    if (!is_kept(input) || !dtype || !shape || shape->size() != rank) continue;
    if ((*shape)[heads] <= 0 || (*shape)[size] <= 0) return 0;
    bits += static_cast<std::uint64_t>((*shape)[heads]) *
            static_cast<std::uint64_t>((*shape)[size]) * facts_of(*dtype).bits;
  }
  return bits / byte;
}

} // namespace model_validator
