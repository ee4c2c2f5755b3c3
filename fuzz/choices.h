#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace fuzz {

/// The bytes of a fuzzer, read as decisions while a file is written. Changing a byte changes a
/// decision, so that the result stays a file of its kind. Once they are used up, every decision is
/// the first and plainest one.
class Choices {
public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool spent() const { return at_ == bytes_.size(); }
  std::uint8_t byte() { return spent() ? std::uint8_t{0} : bytes_[at_++]; }
  /// A number below `count`, which is at least 1.
  std::size_t below(std::size_t count);
  /// True one time in `count`; never once the bytes are used up.
  bool one_in(std::size_t count) { return below(count) == count - 1; }
  template <class T> T of(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  template <class Range> auto& among(Range& values) { return values[below(values.size())]; }

  /// Small, or a value that arithmetic trips over.
  std::int64_t integer();
  double real();
  /// How often something of `bytes` bytes is repeated: seldom more than three times, then up to
  /// `most`. All that is repeated in one file stays below a megabyte.
  std::size_t times(std::size_t most, std::size_t bytes);

  /// One of a few names, so that names collide; seldom an odd one.
  std::string name();
  /// A name that is deep, long, not of ASCII, or a word of some language.
  std::string odd_name();
  /// The path of a module: `a.b.c`.
  std::string path();

private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::size_t allowance_ = std::size_t{1} << 20;
};

/// Some bytes become others; some are left out or said twice.
void damage(std::string& bytes, Choices& choices);

/// `text`, `count` times.
std::string repeated(std::string_view text, std::size_t count);

} // namespace fuzz
