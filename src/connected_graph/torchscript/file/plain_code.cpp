#include "connected_graph/torchscript/file/plain_code.h"

#include "connected_graph/torchscript/file/code_characters.h"

#include <optional>

namespace model_validator::torchscript {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether torch writes such a character outside strings.
bool is_usual(char c) { return c >= '!' && c <= '~' && c != '\\' && c != '#' && c != '\''; }

/// A reading position in code. A method that takes something returns whether it was there.
class Cursor {
public:
  explicit Cursor(std::string_view code) : code_(code) {}

  bool at_end() const { return at_ >= code_.size(); }
  char peek() const { return at_end() ? '\n' : code_[at_]; }
  void advance() { ++at_; }

  bool take(char c) {
    if (at_end() || code_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::size_t take_spaces() {
    const std::size_t start = at_;
    while (!at_end() && code_[at_] == ' ') ++at_;
    return at_ - start;
  }
  void take_layout() {
    while (!at_end() && (code_[at_] == ' ' || code_[at_] == '\n')) ++at_;
  }
  std::string_view take_word() {
    const std::size_t start = at_;
    while (!at_end() && in_word(code_[at_])) ++at_;
    return code_.substr(start, at_ - start);
  }
  /// A string in double quotes, on one line.
  bool take_text() {
    if (code_.substr(at_, 3) == R"(""")" || !take('"')) return false;
    for (; !at_end() && code_[at_] != '\n'; ++at_) {
      if (take('"')) return true;
      if (code_[at_] == '\\') ++at_;
    }
    return false;
  }
  bool take_digits() {
    const std::size_t start = at_;
    while (!at_end() && is_digit(code_[at_])) ++at_;
    return at_ > start;
  }

private:
  std::string_view code_;
  std::size_t at_ = 0;
};

bool take_number(Cursor& cursor) {
  const bool whole = cursor.take_digits();
  const bool fraction = cursor.take('.') && (cursor.take_digits() || whole);
  if (!whole && !fraction) return false;
  if (cursor.take('e')) {
    if (!cursor.take('-')) cursor.take('+');
    if (!cursor.take_digits()) return false;
  }
  return !in_word(cursor.peek());
}

bool take_named_value(Cursor& cursor, bool negative) {
  const std::string_view word = cursor.take_word();
  if (word == "inf" || word == "nan") return true;
  return !negative && (word == "True" || word == "False" || word == "None");
}

/// A number, a string, or the name of a value.
bool take_scalar(Cursor& cursor) {
  if (cursor.peek() == '"') return cursor.take_text();
  const bool negative = cursor.take('-');
  if (is_digit(cursor.peek()) || cursor.peek() == '.') return take_number(cursor);
  return take_named_value(cursor, negative);
}

/// A literal: a scalar, or lists and tuples of them. Brackets are only counted: LibTorch rejects
/// code where they do not match.
bool take_literal(Cursor& cursor) {
  std::size_t open = 0;
  do {
    while (cursor.take('[') || cursor.take('(')) {
      ++open;
      cursor.take_layout();
    }
    const bool empty = open > 0 && (cursor.peek() == ']' || cursor.peek() == ')');
    if (!empty && !take_scalar(cursor)) return false;
    while (open > 0) {
      cursor.take_layout();
      if (cursor.take(',')) {
        cursor.take_layout();
        if (cursor.peek() != ']' && cursor.peek() != ')') break;
      }
      if (!cursor.take(']') && !cursor.take(')')) return false;
      --open;
    }
  } while (open > 0);
  return true;
}

/// Reads code line by line; a line continued by brackets is one. Function bodies are never
/// evaluated, and only skipped over.
class Reader {
public:
  explicit Reader(std::string_view code) : cursor_(code) {}

  bool read() {
    while (!cursor_.at_end())
      if (!read_line()) return false;
    return true;
  }

private:
  bool read_line();
  bool read_header();
  bool read_assignment();
  bool read_rest(bool may_assign);
  bool step(bool may_assign);

  Cursor cursor_;
  std::size_t open_ = 0;                  ///< brackets
  std::optional<std::size_t> definition_; ///< indentation of the function around the line
};

bool Reader::read_line() {
  const std::size_t indent = cursor_.take_spaces();
  if (cursor_.take('\n') || cursor_.at_end()) return true;
  if (definition_ && indent <= *definition_) definition_.reset();
  const bool in_function = definition_.has_value();
  const std::string_view word = cursor_.take_word();
  if (word == "def") {
    if (!in_function) definition_ = indent;
    return read_header() && read_rest(false);
  }
  if (in_function) return read_rest(true);
  if (word == "__annotations__" && cursor_.peek() == '[') return read_rest(true); // of a type
  return read_assignment();
}

/// From the name to the end of the parameters.
bool Reader::read_header() {
  cursor_.take_spaces();
  cursor_.take_word();
  if (!cursor_.take('(')) return false;
  open_ = 1;
  while (open_ > 0) {
    if (cursor_.at_end()) return false;
    if (open_ > 1 || !cursor_.take('=')) {
      if (!step(false)) return false;
      continue;
    }
    cursor_.take_spaces();
    if (!take_literal(cursor_)) return false;
    cursor_.take_layout();
    if (cursor_.peek() != ',' && cursor_.peek() != ')') return false;
  }
  return true;
}

/// A line outside functions: it may assign at most a literal.
bool Reader::read_assignment() {
  while (!(open_ == 0 && cursor_.peek() == '\n')) {
    if (cursor_.at_end()) return false;
    if (open_ == 0 && cursor_.take('=')) {
      cursor_.take_spaces();
      if (!take_literal(cursor_)) return false;
      cursor_.take_spaces();
      return cursor_.take('\n') || cursor_.at_end();
    }
    if (!step(false)) return false;
  }
  cursor_.take('\n');
  return true;
}

bool Reader::read_rest(bool may_assign) {
  while (!cursor_.at_end()) {
    if (open_ == 0 && cursor_.take('\n')) return true;
    if (!step(may_assign)) return false;
  }
  return open_ == 0;
}

/// One character, word or string.
bool Reader::step(bool may_assign) {
  const char c = cursor_.peek();
  if (c == '"') return cursor_.take_text();
  if (in_word(c)) return cursor_.take_word() != "def"; // none is expected here
  const bool layout = c == ' ' || (c == '\n' && open_ > 0);
  if (!layout && (!is_usual(c) || (c == '=' && !may_assign))) return false;
  if (closes_bracket(c) && open_ == 0) return false;
  if (opens_bracket(c)) ++open_;
  if (closes_bracket(c)) --open_;
  cursor_.advance();
  return true;
}

} // namespace

bool evaluates_plain_literals_only(std::string_view code) { return Reader(code).read(); }

} // namespace model_validator::torchscript
