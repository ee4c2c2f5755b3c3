#pragma once

#include <cstdint>
#include <filesystem>

namespace model_validator {

/// The bytes of standard input in a temporary file, which is removed with this object.
class StandardInput {
public:
  static constexpr std::uint64_t largest = std::uint64_t{16} << 30;

  /// Reads `descriptor` to its end. @throws Error (`too-large`, `cannot-read`, `cannot-write`)
  explicit StandardInput(int descriptor, std::uint64_t limit = largest);
  ~StandardInput();
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

private:
  void copy(int from, int to, std::uint64_t limit) const;
  std::filesystem::path path_;
};

} // namespace model_validator
