#include "connected_graph/torchscript/file/tuple_growth.h"

#include "connected_graph/torchscript/file/code_characters.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

namespace model_validator::torchscript {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max() / 4;

std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return std::min(largest, a + b); }

/// Scans the code once. A variable is as large as the values named in its assignment: as their sum
/// within a tuple, as the largest of them elsewhere, and in `a, b = x, y` as its own. The file
/// declares the return types of its functions.
class Scanner {
public:
  explicit Scanner(std::string_view code) : code_(code) {}

  std::uint64_t run() {
    while (at_ < code_.size()) step();
    return total_;
  }

private:
  /// The contents of a pair of brackets, or of a line.
  struct Level {
    std::uint64_t sum = 0;
    std::uint64_t largest = 1;
    bool comma = false;
    bool tuple = false;    ///< a bracket that may hold a tuple
    bool targets = true;   ///< `a` and `b` of `(a, b) = t`, and not those of `x[a] = f(b)`
    bool declared = false; ///< arguments of a function of the file
  };

  void step();
  void step_word();
  void step_text();
  void open(char bracket);
  void close();
  void end_line();
  void add(std::uint64_t size) {
    levels_.back().sum = plus(levels_.back().sum, size);
    levels_.back().largest = std::max(levels_.back().largest, size);
    if (levels_.size() == 1) parts_.back() = std::max(parts_.back(), size);
  }
  void assign() {
    one_each_ = targets_.empty() && names_.size() > 1 && names_.size() == parts();
    targets_.insert(targets_.end(), names_.begin(), names_.end());
    names_.clear();
    begin_side();
  }
  void begin_side() {
    levels_.back() = Level{};
    parts_.assign(1, 0);
  }
  /// Of this side of the line, as commas separate them; the last comma may have nothing behind it.
  std::size_t parts() const { return parts_.size() - (parts_.back() == 0 ? 1 : 0); }

  std::string_view code_;
  std::size_t at_ = 0;
  std::uint64_t total_ = 0;
  std::vector<Level> levels_{1};
  std::vector<std::string_view> names_; ///< on this side of the line, outside calls and indices
  std::vector<std::string_view> targets_;
  std::vector<std::uint64_t> parts_{0}; ///< the largest value of each part of this side of the line
  bool one_each_ = false;               ///< each part of the left side is one target
  std::unordered_map<std::string_view, std::uint64_t> sizes_;
  bool after_value_ = false; ///< a bracket here holds arguments or an index
  bool of_file_ = false;     ///< the file names that value: `__torch__.f`, `(self).forward`
};

void Scanner::step() {
  const char c = code_[at_];
  if (in_word(c)) return step_word();
  if (c == '"' || c == '\'') return step_text();
  ++at_;
  if (opens_bracket(c)) return open(c);
  if (closes_bracket(c)) return close();
  if (c == '\n' && levels_.size() == 1) return end_line();
  if (c == ',') {
    levels_.back().comma = true;
    if (levels_.size() == 1) parts_.push_back(0);
  }
  if (levels_.size() == 1 && assigns(code_, at_ - 1)) assign();
  if (c != ' ' && c != '.') after_value_ = of_file_ = false;
}

void Scanner::step_word() {
  const bool member = at_ > 0 && code_[at_ - 1] == '.';
  const std::size_t start = at_;
  while (at_ < code_.size() && in_word(code_[at_])) ++at_;
  const std::string_view word = code_.substr(start, at_ - start);
  if (word == "def") sizes_.clear();
  after_value_ = !contains({"return", "in", "else", "if"}, word);
  if (member) return;
  of_file_ = contains({"__torch__", "self"}, word);
  if (levels_.back().targets) names_.push_back(word);
  const auto known = sizes_.find(word);
  add(known == sizes_.end() ? 1 : known->second);
}

void Scanner::step_text() {
  const char quote = code_[at_++];
  for (; at_ < code_.size() && code_[at_] != '\n'; ++at_) {
    if (code_[at_] == quote) {
      ++at_;
      break;
    }
    if (code_[at_] == '\\') ++at_;
  }
  add(1);
  after_value_ = false;
}

void Scanner::open(char bracket) {
  Level level;
  level.tuple = bracket == '(' && !after_value_;
  level.targets = level.tuple && levels_.back().targets;
  level.declared = bracket == '(' && after_value_ && of_file_;
  levels_.push_back(level);
  after_value_ = of_file_ = false;
}

void Scanner::close() {
  if (levels_.size() == 1) return;
  const Level level = levels_.back();
  levels_.pop_back();
  const bool tuple = level.tuple && level.comma;
  if (tuple) total_ = plus(total_, level.sum);
  if (!level.declared) add(tuple ? level.sum : level.largest);
  after_value_ = true;
  of_file_ = level.tuple && !level.comma; // `(self.conv).forward`
}

void Scanner::end_line() {
  const Level& line = levels_.back();
  // `t = x, x`
  if (line.comma) total_ = plus(total_, line.sum);
  const std::uint64_t size = line.comma ? line.sum : line.largest;
  const bool part_each = one_each_ && targets_.size() == parts();
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    std::uint64_t& of_target = sizes_[targets_[i]];
    of_target = std::max(of_target, part_each ? parts_[i] : size);
  }
  targets_.clear();
  names_.clear();
  begin_side();
  after_value_ = of_file_ = false;
}

} // namespace

std::uint64_t elements_of_tuples(std::string_view code) { return Scanner(code).run(); }

} // namespace model_validator::torchscript
