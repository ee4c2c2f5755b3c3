#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace fuzz {

/// The bytes of a fuzzer, read as the decisions of whoever writes a file. Bytes that a fuzzer
/// changes change a decision, so that what is written stays a file of its kind. Once they are
/// spent every decision is the first, and plain, one.
class Choices {
public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool spent() const { return at_ == bytes_.size(); }
  std::uint8_t byte() { return spent() ? std::uint8_t{0} : bytes_[at_++]; }
  /// A number below `count`, which is at least 1.
  std::size_t below(std::size_t count);
  /// True one time in `count`; never once the bytes are spent.
  bool one_in(std::size_t count) { return below(count) == count - 1; }
  template <class T> T of(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  template <class Range> auto& among(Range& values) { return values[below(values.size())]; }

  /// Small, or one of those that arithmetic trips over.
  std::int64_t integer();
  double real();
  /// How often something of `bytes` bytes is repeated: seldom more than three times, then up to
  /// `most`. All that is repeated in one file stays below a megabyte.
  std::size_t times(std::size_t most, std::size_t bytes);

  /// A name, of which there are few, so that names meet; seldom one that a writer may trip over.
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

/// `text`, `count` times.
std::string repeated(std::string_view text, std::size_t count);

} // namespace fuzz
