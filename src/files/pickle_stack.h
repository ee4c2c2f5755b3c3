#pragma once

#include "files/pickle.h"

#include <stdexcept>
#include <unordered_map>

namespace model_validator::pickle {

/// A pickle that cannot be read further; `parse` keeps the message as the document's failure.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a pickle's instructions work on: the stack with its marks, the memo, and the document that
/// they fill. Every method throws Malformed where the instruction asks for something that is not
/// there.
class Stack {
public:
  /// @param largest_id a memo number beyond it would exhaust memory
  explicit Stack(std::size_t largest_id) : largest_id_(largest_id) {}

  void push(Index value) { values_.push_back(value); }
  void push(const Value& value) { push(add(value)); }
  void push_boolean(bool value);
  void push_integer(std::int64_t value);
  void push_real(double value);
  void push_text(std::string_view text) { push(add_text(text)); }
  void push_fixed(Kind kind, std::span<const Index> items);
  void push_growing(Kind kind, std::vector<Index> items);
  /// A tuple of the `count` topmost values, at most three.
  void push_tuple(std::size_t count);
  void push_global(Index module, Index name);

  Index top() const;
  Index pop();
  void mark() { marks_.push_back(values_.size()); }
  /// Takes the topmost value, or the mark that lies on it.
  void pop_value_or_mark();
  std::vector<Index> pop_to_mark();

  /// Adds items to the list, dict or call on top.
  void grow(std::span<const Index> items);
  void put(std::uint64_t id);
  void put_next() { put(memo_.size()); }
  void get(std::uint64_t id);

  Index add_text(std::string_view text);
  /// The value on top is the root of the document, which is complete.
  void finish();
  Document document;

private:
  Index add(const Value& value);
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

  std::size_t largest_id_;
  std::vector<Index> values_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Index> memo_;
};

} // namespace model_validator::pickle
