#include "fixes/python/unified_diff.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace model_validator::fixes {
namespace {

using Lines = std::vector<std::string_view>;

/// One line of the diff: of both texts (' '), or of one ('-', '+').
struct Step {
  char kind;
  std::string_view line;
};

/// Lines with their ends.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

/// Myers' algorithm: the fewest lines taken out and put in.
class Differ {
public:
  Differ(const Lines& before, const Lines& after)
      : a_(before), b_(after), size_(static_cast<long>(a_.size() + b_.size())),
        ends_(2 * static_cast<std::size_t>(size_) + 3, 0) {}

  std::vector<Step> steps() {
    for (long edits = 0; edits <= size_; ++edits) {
      history_.push_back(ends_);
      for (long diagonal = -edits; diagonal <= edits; diagonal += 2)
        if (follow(diagonal, edits)) return back(edits);
    }
    return {};
  }

private:
  long& end(long diagonal) { return ends_[static_cast<std::size_t>(diagonal + size_ + 1)]; }
  static long end_in(const std::vector<long>& ends, long diagonal, long size) {
    return ends[static_cast<std::size_t>(diagonal + size + 1)];
  }
  static bool goes_down(const std::vector<long>& ends, long diagonal, long edits, long size) {
    return diagonal == -edits || (diagonal != edits && end_in(ends, diagonal - 1, size) <
                                                           end_in(ends, diagonal + 1, size));
  }

  /// @returns whether the end of both texts is reached
  bool follow(long diagonal, long edits) {
    long x = goes_down(ends_, diagonal, edits, size_) ? end(diagonal + 1) : end(diagonal - 1) + 1;
    const auto a = static_cast<long>(a_.size());
    const auto b = static_cast<long>(b_.size());
    while (x < a && x - diagonal < b &&
           a_[static_cast<std::size_t>(x)] == b_[static_cast<std::size_t>(x - diagonal)])
      ++x;
    end(diagonal) = x;
    return x >= a && x - diagonal >= b;
  }

  std::vector<Step> back(long edits) const {
    std::vector<Step> steps;
    auto x = static_cast<long>(a_.size());
    auto y = static_cast<long>(b_.size());
    for (; edits >= 0; --edits) {
      const std::vector<long>& ends = history_[static_cast<std::size_t>(edits)];
      const bool down = goes_down(ends, x - y, edits, size_);
      const long from = down ? x - y + 1 : x - y - 1;
      const long start = edits == 0 ? 0 : end_in(ends, from, size_);
      const long start_y = edits == 0 ? 0 : start - from;
      while (x > start && y > start_y) {
        steps.push_back({' ', a_[static_cast<std::size_t>(--x)]});
        --y;
      }
      if (edits == 0) break;
      if (down)
        steps.push_back({'+', b_[static_cast<std::size_t>(--y)]});
      else
        steps.push_back({'-', a_[static_cast<std::size_t>(--x)]});
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  const Lines& a_;
  const Lines& b_;
  long size_;
  std::vector<long> ends_; ///< by diagonal: how far into the first text a path reaches
  std::vector<std::vector<long>> history_;
};

constexpr std::size_t context = 3;

std::string count(std::size_t first, std::size_t lines) {
  return std::to_string(lines == 0 ? first : first + 1) +
         (lines == 1 ? "" : ',' + std::to_string(lines));
}

void append(std::string& text, const Step& step) {
  text += step.kind;
  text += step.line;
  if (!step.line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
}

/// The first step after `from` that changes something.
std::size_t next_change(const std::vector<Step>& steps, std::size_t from) {
  while (from < steps.size() && steps[from].kind == ' ') ++from;
  return from;
}

/// Where the hunk of the change at `first` ends: after the last change before a long stretch of
/// unchanged lines.
std::size_t end_of_hunk(const std::vector<Step>& steps, std::size_t first) {
  std::size_t last = first;
  for (std::size_t next = first; next < steps.size() && next - last <= 2 * context + 1;
       next = next_change(steps, next + 1))
    last = next;
  return std::min(last + context + 1, steps.size());
}

std::string hunks(const std::vector<Step>& steps) {
  std::string text;
  std::size_t old_line = 0;
  std::size_t new_line = 0;
  std::size_t done = 0;
  for (std::size_t change = next_change(steps, 0); change < steps.size();
       change = next_change(steps, done)) {
    const std::size_t begin = change - std::min(change - done, context);
    for (; done < begin; ++done, ++old_line, ++new_line) {
    }
    const std::size_t end = end_of_hunk(steps, change);
    const auto lines = [&](char other) {
      return static_cast<std::size_t>(
          std::count_if(steps.begin() + static_cast<std::ptrdiff_t>(begin),
                        steps.begin() + static_cast<std::ptrdiff_t>(end),
                        [other](const Step& step) { return step.kind != other; }));
    };
    text += "@@ -" + count(old_line, lines('+')) + " +" + count(new_line, lines('-')) + " @@\n";
    old_line += lines('+');
    new_line += lines('-');
    for (; done < end; ++done) append(text, steps[done]);
  }
  return text;
}

} // namespace

std::string unified_diff(const std::string& name, const std::string& before,
                         const std::string& after, bool is_new) {
  if (before == after) return {};
  const Lines a = lines_of(before);
  const Lines b = lines_of(after);
  const bool absolute = name.starts_with('/');
  const std::string old_name = is_new ? "/dev/null" : (absolute ? "" : "a/") + name;
  return "--- " + old_name + "\n+++ " + (absolute ? "" : "b/") + name + '\n' +
         hunks(Differ(a, b).steps());
}

} // namespace model_validator::fixes
