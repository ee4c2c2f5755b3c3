#pragma once

#include "connected_graph/shapes/size.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace model_validator::shapes {

using Shape = std::vector<Size>;

/// Where a value comes from.
enum class Source : std::uint8_t { unknown, stored, input, node };

/// What is known of a tensor: its sizes and, of a few integers, the numbers themselves.
struct Value {
  std::shared_ptr<const Shape> shape = {}; ///< null: not even how many axes it has
  std::shared_ptr<const Shape> elements =
      {};            ///< in row-major order; null where they are not followed
  Size below = {};   ///< its integers are less than this; unknown if none is
  bool real = false; ///< its elements are floats that happen to be whole
  /// No type decides how many axes it has: arms of an `if` yield different numbers of them, or it
  /// was computed from such a value. A runtime knows it only when the model runs, whatever is
  /// declared.
  bool open = false;
  /// Of a sequence: the shapes of what it holds, null where they are not known. Null where not even
  /// their number is.
  std::shared_ptr<const std::vector<std::shared_ptr<const Shape>>> held = {};
  Source source = Source::unknown;
  std::size_t node = 0;              ///< that yields it, if a node does
  const std::string* name = nullptr; ///< in the file
};

inline std::shared_ptr<const Shape> shared(Shape shape) {
  return std::make_shared<const Shape>(std::move(shape));
}

} // namespace model_validator::shapes
