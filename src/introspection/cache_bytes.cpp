#include "introspection/cache_bytes.h"

#include <model_validator/data/dtype.h>

namespace model_validator {
namespace {

bool is_kept(const Port& port, const char* word) {
  return port.name.find(word) != std::string::npos &&
         port.name.find("encoder") == std::string::npos;
}

std::uint64_t bytes_of(const std::vector<Port>& ports, const char* word) {
  constexpr std::size_t rank = 4, heads = 1, size = 3;
  constexpr std::uint64_t byte = 8;
  std::uint64_t bits = 0;
  for (const Port& port : ports) {
    const auto dtype = dtype_named(port.type.dtype);
    const auto& shape = port.type.shape;
    if (!is_kept(port, word) || !dtype || !shape || shape->size() != rank) continue;
    if ((*shape)[heads] <= 0 || (*shape)[size] <= 0) return 0;
    bits += static_cast<std::uint64_t>((*shape)[heads]) *
            static_cast<std::uint64_t>((*shape)[size]) * facts_of(*dtype).bits;
  }
  return bits / byte;
}

} // namespace

std::uint64_t cache_bytes(const std::vector<Port>& inputs, const std::vector<Port>& outputs) {
  const std::uint64_t taken = bytes_of(inputs, "past");
  return taken > 0 || inputs.empty() ? taken : bytes_of(outputs, "present");
}

} // namespace model_validator
