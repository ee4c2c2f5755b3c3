#pragma once

#include <cstddef>
#include <string>

namespace model_validator::cli {

/// A bar on a terminal's standard error while many files are worked on; nothing elsewhere.
class Progress {
public:
  Progress(std::size_t total, bool wanted);
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance();
  /// Makes room for a report on the same terminal.
  void erase();

private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool shown_;
};

/// `  12/30 [########            ]`
std::string progress_bar(std::size_t done, std::size_t total, std::size_t width);

} // namespace model_validator::cli
