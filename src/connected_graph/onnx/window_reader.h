#pragma once

#include "files/input_file.h"

#include <cstdint>
#include <string>

namespace model_validator::onnx_format {

/// Reads a file forwards through a small window, and skips without reading.
class WindowReader {
public:
  explicit WindowReader(const InputFile& file) : file_(file) {}

  std::uint64_t position() const noexcept { return position_; }
  std::uint64_t size() const noexcept { return file_.size(); }
  void skip(std::uint64_t count) noexcept { position_ += count; }

  /// @throws Error (`damaged-onnx`) at the end of the file
  std::uint8_t byte();
  std::uint64_t varint();
  void append(std::uint64_t count, std::string& to);
  [[noreturn]] void fail(const std::string& what) const;

private:
  const InputFile& file_;
  std::uint64_t position_ = 0;
  std::uint64_t window_start_ = 0;
  std::string window_;
};

} // namespace model_validator::onnx_format
