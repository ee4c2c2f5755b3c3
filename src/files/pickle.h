#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::pickle {

enum class Kind : std::uint8_t {
  none,
  boolean,
  integer,
  real,
  text,       ///< str or bytes
  global,     ///< a class or function by name
  persistent, ///< something outside the pickle; one item, its id
  tuple,
  list, ///< list or set
  dict, ///< keys and values in turn
  call, ///< result of a call: the callable, its arguments, then whatever was built into it
};

using Index = std::uint32_t;

/// One value. Its Document gives its contents.
struct Value {
  Kind kind = Kind::none;
  Index first = 0;
  Index count = 0;
  union {
    std::int64_t integer = 0;
    double real;
    const char* text;
  };
};

/// A pickle as plain data: nothing is imported, called or built. Values may be shared.
class Document {
public:
  /// False where the bytes ended, or something unknown came, before the end of the pickle: the
  /// values up to there can be inspected, but there is no root.
  bool complete = false;
  std::string failure; ///< why it is not complete
  Index root = 0;
  std::size_t bytes = 0; ///< how many bytes the pickle took

  const std::vector<Value>& values() const noexcept { return values_; }
  const Value& operator[](Index index) const { return values_[index]; }
  /// Items of a tuple, list, dict, call or persistent value.
  std::span<const Index> items(const Value& value) const;
  /// Text of a text value.
  static std::string_view text(const Value& value) {
    return value.kind == Kind::text ? std::string_view(value.text, value.count)
                                    : std::string_view();
  }
  /// `torch._utils._rebuild_tensor_v2` of a global; empty for another value.
  std::string name(const Value& value) const;

private:
  friend class Stack;
  std::vector<Value> values_;
  std::vector<Index> pool_;               ///< items of values that do not grow
  std::vector<std::vector<Index>> lists_; ///< items of those that do
};

/// Reads one pickle of any protocol. The document refers to `bytes`.
Document parse(std::string_view bytes);

/// How values are nested in each other.
struct Nesting {
  bool cyclic = false;        ///< something contains itself
  std::size_t depth = 0;      ///< of the deepest value
  std::uint64_t expanded = 0; ///< values visited if shared ones are visited each time
};
Nesting nesting_of(const Document& document);

} // namespace model_validator::pickle
