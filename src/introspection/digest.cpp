#include "introspection/digest.h"

#include "files/input_file.h"

#include <array>
#include <new>
#include <vector>
#include <xxhash.h>
#if defined(__x86_64__)
// Chooses the widest vectors that the processor has.
#include <xxh_x86dispatch.h>
#endif

namespace model_validator {

void Digest::Free::operator()(XXH3_state_s* state) const noexcept { XXH3_freeState(state); }

Digest::Digest() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

Digest::~Digest() = default;

void Digest::add(const void* bytes, std::size_t count) {
  XXH3_128bits_update(state_.get(), bytes, count);
}

void Digest::add(const InputFile& file) {
  std::vector<char> part(std::size_t{1} << 20);
  std::uint64_t offset = 0;
  while (const std::size_t count = file.read_at(offset, part.data(), part.size())) {
    add(part.data(), count);
    offset += count;
  }
}

std::string Digest::text() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

} // namespace model_validator
