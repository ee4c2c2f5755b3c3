#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace model_validator {

class InputFile;

/// A hash of 128 bits over a stream of bytes: XXH3.
class Digest {
public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  void add(const void* bytes, std::size_t count);
  void add(std::string_view text) { add(text.data(), text.size()); }
  /// All that a file holds.
  void add(const InputFile& file);
  /// 32 hexadecimal digits.
  std::string text() const;

private:
  struct Free {
    void operator()(XXH3_state_s* state) const noexcept;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

} // namespace model_validator
