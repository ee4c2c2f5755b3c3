#include "choices.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

namespace fuzz {

using namespace std::string_view_literals;

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

void damage(std::string& bytes, Choices& choices) {
  for (std::size_t left = choices.below(4); left > 0 && !bytes.empty(); --left) {
    const std::size_t at = choices.below(bytes.size());
    switch (choices.below(4)) {
    case 0: bytes[at] = static_cast<char>(choices.byte()); break;
    case 1: bytes.resize(at); break;
    case 2: bytes.insert(at, bytes.substr(at / 2, choices.below(64))); break;
    default:
      const std::int64_t number = choices.integer();
      std::memcpy(bytes.data() + at, &number, std::min(sizeof number, bytes.size() - at));
    }
  }
}

std::size_t Choices::below(std::size_t count) {
  if (count <= 1) return 0;
  std::size_t number = byte();
  if (count > 256) number = number << 8U | byte();
  return number % count;
}

std::int64_t Choices::integer() {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  switch (below(8)) {
  default: return static_cast<std::int64_t>(below(5));
  case 5: return -static_cast<std::int64_t>(below(3));
  case 6:
    return of({least, least + 1, most, most - 1, std::int64_t{1} << 31, std::int64_t{1} << 32,
               -(std::int64_t{1} << 31), std::int64_t{1} << 62, std::int64_t{1} << 56,
               std::int64_t{64}, std::int64_t{63}, std::int64_t{65535}, std::int64_t{1} << 53});
  case 7: {
    std::uint64_t number = 0;
    for (int i = 0; i < 8; ++i) number = number << 8U | byte();
    return static_cast<std::int64_t>(number >> below(64));
  }
  }
}

double Choices::real() {
  using Limits = std::numeric_limits<double>;
  return of({0.5, 0.0, -0.0, 1.0, -1.0, 2.0, Limits::infinity(), -Limits::infinity(),
             Limits::quiet_NaN(), Limits::max(), Limits::denorm_min(), 1e300, 9.3e18, 1e-10});
}

std::size_t Choices::times(std::size_t most, std::size_t bytes) {
  std::size_t count = below(4);
  if (one_in(24)) count = (std::size_t{1} << below(17)) + below(3);
  count = std::min({count, most, allowance_ / std::max<std::size_t>(bytes, 1)});
  allowance_ -= count * bytes;
  return count;
}

std::string Choices::name() {
  static constexpr std::string_view plain[] = {"x", "a", "b", "c", "d", "y", "0", "layer.0"};
  if (one_in(24)) return odd_name();
  return std::string(plain[below(std::size(plain))]);
}

std::string Choices::odd_name() {
  static constexpr std::string_view pieces[] = {".",
                                                "/",
                                                "a.",
                                                "a/",
                                                ":",
                                                "::",
                                                "@",
                                                "\n::error file=a::",
                                                "\r",
                                                "\x1b[31m",
                                                "\x7f",
                                                "\t",
                                                "\0"sv,
                                                "\xef\xbf\xbe",
                                                "\xe2\x80\xae",
                                                "\xff",
                                                "\xed\xa0\x80",
                                                "\xc2\x85",
                                                "\xe2\x80\xa8",
                                                "\"",
                                                "'",
                                                "\\",
                                                "]]>",
                                                "&<",
                                                "{",
                                                "}",
                                                "|",
                                                "%s%n",
                                                "a b",
                                                ",",
                                                ";",
                                                "#",
                                                "$",
                                                "[0]",
                                                "é",
                                                "_",
                                                "1"};
  static constexpr std::string_view words[] = {"",
                                               "graph",
                                               "node",
                                               "edge",
                                               "strict",
                                               "subgraph",
                                               "digraph",
                                               "self",
                                               "forward",
                                               "None",
                                               "../../etc/passwd",
                                               "/dev/zero",
                                               "torch.nn.modules.conv.Conv2d",
                                               "layer.0.0.0",
                                               "a@1",
                                               "-0",
                                               "CON",
                                               "__torch__",
                                               "conv2d_0",
                                               "a:1",
                                               ".",
                                               "..",
                                               "/",
                                               "{}"};
  if (one_in(2)) return std::string(words[below(std::size(words))]);
  std::string name;
  for (std::size_t i = 0, count = below(4) + 1; i < count; ++i) {
    const std::string_view piece = pieces[below(std::size(pieces))];
    name += repeated(piece, 1 + times(30000, piece.size()) / 2);
    if (one_in(2)) name += 'a';
  }
  return name;
}

std::string Choices::path() {
  if (one_in(24)) return odd_name();
  std::string path;
  for (std::size_t i = 0, count = times(2000, 4); i < count; ++i) {
    if (!path.empty()) path += '.';
    path += of({"a"sv, "b"sv, "0"sv, "1"sv, "conv"sv});
  }
  return path;
}

} // namespace fuzz
