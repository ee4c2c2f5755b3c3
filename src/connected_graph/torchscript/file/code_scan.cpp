#include "connected_graph/torchscript/file/code_scan.h"

#include "connected_graph/torchscript/file/code_characters.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace model_validator::torchscript {
namespace {

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether a word takes what is next to it as an operand.
bool nests(std::string_view word) {
  static constexpr std::array<std::string_view, 9> words = {"not", "if", "else",   "and", "or",
                                                            "in",  "is", "lambda", "for"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether ` i in range(` follows.
bool goes_over_range(std::string_view code) {
  const auto word = [&code] {
    code.remove_prefix(std::min(code.find_first_not_of(' '), code.size()));
    const auto end = std::find_if_not(code.begin(), code.end(), in_word);
    const std::string_view found = code.substr(0, static_cast<std::size_t>(end - code.begin()));
    code.remove_prefix(found.size());
    return found;
  };
  const bool one = !word().empty();
  return one && word() == "in" && word() == "range" && code.starts_with('(');
}

/// Scans the text once. Depth is overestimated: within one pair of brackets every operator up to
/// the next comma counts as nested in the one before.
class Scanner {
public:
  Scanner(std::string_view code, CodeScan& scan) : code_(code), scan_(scan) {}

  void run() {
    while (at_ < code_.size()) step();
  }

private:
  void step();
  void step_word();
  void step_comment();
  void step_string(char quote);
  void step_operator_name();
  void end_line();

  void open() {
    levels_.push_back(0);
    add(1);
  }
  void close() {
    if (levels_.size() == 1) return;
    depth_ -= levels_.back() + 1;
    levels_.pop_back();
    chain();
  }
  /// Counts one more operator after the others.
  void chain() {
    ++levels_.back();
    add(1);
  }
  void comma() {
    depth_ -= levels_.back();
    levels_.back() = 0;
  }
  void add(std::size_t count) {
    depth_ += count;
    scan_.expression_depth = std::max(scan_.expression_depth, depth_);
  }
  std::string_view word() {
    const std::size_t start = at_;
    while (at_ < code_.size() && in_word(code_[at_])) ++at_;
    return code_.substr(start, at_ - start);
  }
  bool take(char c) {
    if (at_ >= code_.size() || code_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view code_;
  CodeScan& scan_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::vector<std::size_t> levels_{0}; ///< operators since the last comma, for each open bracket
  std::vector<std::size_t> indents_;
  std::size_t elifs_ = 0; ///< each is a block in the previous one's else
  std::size_t exits_ = 0; ///< of the function so far
};

void Scanner::step() {
  const char c = code_[at_];
  if (starts_word(c)) return step_word();
  if (c == '"' || c == '\'') return step_string(c);
  ++at_;
  if (opens_bracket(c)) return open();
  if (closes_bracket(c)) return close();
  switch (c) {
  case '\n': return end_line();
  case '#': return step_comment();
  case '\\': // continues on the next line
    take('\n');
    return;
  case ',':
  case ';': return comma();
  default:
    if (std::ispunct(static_cast<unsigned char>(c)) != 0) chain();
  }
}

// Type comments are parsed, so they count.
void Scanner::step_comment() {
  if (code_.substr(at_, 6) == " type:") return;
  at_ = std::min(code_.find('\n', at_), code_.size());
}

void Scanner::step_word() {
  const bool member = code_.substr(0, at_).ends_with('.');
  const std::string_view name = word();
  if (member) return;
  if (name == "ops") return step_operator_name();
  if (contains({"def", "class"}, name)) ++scan_.definitions;
  if (name == "def") exits_ = 0;
  if (name == "for" && !goes_over_range(code_.substr(at_))) scan_.unrolls = true;
  if (contains({"return", "break", "continue"}, name))
    scan_.exits = std::max(scan_.exits, ++exits_);
  if (name == "elif") ++elifs_;
  if (nests(name)) chain();
}

void Scanner::step_operator_name() {
  if (!take('.')) return;
  const std::string_view name_space = word();
  if (!take('.')) return;
  const std::string_view name = word();
  if (!name_space.empty() && !name.empty())
    scan_.operators.insert(std::string(name_space) + "::" + std::string(name));
}

void Scanner::step_string(char quote) {
  const std::string fence(3, quote);
  const bool triple = code_.substr(at_, 3) == fence;
  at_ += triple ? 3 : 1;
  while (at_ < code_.size()) {
    if (code_[at_] == '\\') {
      at_ += 2;
    } else if (triple ? code_.substr(at_, 3) == fence : code_[at_] == quote) {
      at_ += triple ? 3 : 1;
      return;
    } else if (!triple && code_[at_] == '\n') {
      return;
    } else {
      ++at_;
    }
  }
}

void Scanner::end_line() {
  if (levels_.size() > 1) return;
  depth_ = 0;
  levels_.back() = 0;
  const std::size_t start = at_;
  at_ = std::min(code_.find_first_not_of(" \t", at_), code_.size());
  if (at_ >= code_.size() || code_[at_] == '\n' || code_[at_] == '#') return;
  const std::size_t indent = at_ - start;
  while (!indents_.empty() && indents_.back() >= indent) indents_.pop_back();
  if (indent > 0) indents_.push_back(indent);
  scan_.block_depth = std::max(scan_.block_depth, indents_.size() + elifs_);
}

} // namespace

void scan_code(std::string_view code, CodeScan& scan) { Scanner(code, scan).run(); }

} // namespace model_validator::torchscript
