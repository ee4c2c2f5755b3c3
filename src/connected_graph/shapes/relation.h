#pragma once

#include "connected_graph/shapes/inference.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::shapes {

/// What an operator asks of its attributes and of the sizes of its operands against one another, as
/// a line of text: comparisons with `or` between them, of which one must hold. The last says what
/// is wrong where none does; those before it say when that does not matter. Compared are sums,
/// products, quotients rounded down and remainders of
///
///     weight[-1]          the size of an axis
///     k                   the one number that is stored for an input, or an attribute
///     axis?1              an attribute with its default
///     rank(x) size(x)     of an input: how many axes and elements it has
///     count(list)         of an attribute: how many elements it has; none where it is left out
///     least(x) greatest(x) sum(x)   of the numbers stored for an input, or of an attribute
///     given(x)            1 where an input or an attribute is there, else 0
///
/// and `mode in a b` asks for one of these words. `result` is the first output.
class Relation {
public:
  /// @param line    outlives it, as the names do
  /// @param inputs  their names in the line, in order
  Relation(std::string_view line, std::vector<std::string_view> inputs);

  struct Breach {
    std::string which;    ///< what is compared: `size(bias)`
    std::string sentence; ///< a clause
    std::vector<std::size_t> inputs;
  };
  /// Nothing where it holds, or may hold for some sizes that the file leaves open.
  std::optional<Breach> breach(Inference& at) const;

private:
  std::vector<std::string_view> tokens_, inputs_;
};

} // namespace model_validator::shapes
