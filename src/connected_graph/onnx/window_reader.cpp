#include "connected_graph/onnx/window_reader.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::onnx_format {
namespace {

constexpr std::size_t window_bytes = 64 * 1024;

} // namespace

void WindowReader::fail(const std::string& what) const {
  throw Error(ErrorKind::damaged_onnx, file_.path().string(),
              "the file is not a complete ONNX model: " + what,
              "export the model again, or fetch the file again");
}

std::uint8_t WindowReader::byte() {
  if (position_ < window_start_ || position_ - window_start_ >= window_.size()) {
    window_start_ = position_;
    window_ = position_ < size() ? file_.read_at(position_, window_bytes) : std::string{};
    if (window_.empty()) fail("it ends in the middle of a field");
  }
  return static_cast<std::uint8_t>(window_[position_++ - window_start_]);
}

std::uint64_t WindowReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = byte();
    value |= static_cast<std::uint64_t>(next & 0x7Fu) << shift;
    if ((next & 0x80u) == 0) return value;
  }
  fail("a number in it is longer than any number may be");
}

void WindowReader::append(std::uint64_t count, std::string& to) {
  if (position_ > size() || count > size() - position_) fail("a field reaches beyond its end");
  while (count > 0) {
    to += static_cast<char>(byte());
    --count;
    const std::uint64_t at_hand = std::min<std::uint64_t>(
        count, window_.size() - static_cast<std::size_t>(position_ - window_start_));
    to.append(window_, static_cast<std::size_t>(position_ - window_start_),
              static_cast<std::size_t>(at_hand));
    position_ += at_hand;
    count -= at_hand;
  }
}

} // namespace model_validator::onnx_format
