#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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

/// What is being done, in a line on standard error that is gone afterwards. Nothing where that is
/// no terminal.
class StatusLine {
public:
  ~StatusLine() { show({}); }
  StatusLine() = default;
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(std::string_view what) const;
};

/// `  12/30 [########            ]`
std::string progress_bar(std::size_t done, std::size_t total, std::size_t width);

} // namespace model_validator::cli
