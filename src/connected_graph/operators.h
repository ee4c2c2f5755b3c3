#pragma once

#include <cstdint>
#include <string_view>

namespace model_validator {

/// What becomes of the values that an operator is given.
enum class Does : std::uint32_t {
  keeps = 1U << 0U,          ///< hands its operand on, element for element
  converts = 1U << 1U,       ///< the same in another dtype
  drops_out = 1U << 2U,      ///< the same, unless the model is trained
  reshapes = 1U << 3U,       ///< the same elements in the same order, with another shape
  transposes = 1U << 4U,     ///< the same elements, axes in another order
  shuffles = 1U << 5U,       ///< the same elements in other places
  repeats = 1U << 6U,        ///< all elements, some several times
  cuts = 1U << 7U,           ///< elements that lie together
  picks = 1U << 8U,          ///< elements by their indices, or by what they are
  joins = 1U << 9U,          ///< elements of several operands
  inserts = 1U << 10U,       ///< its elements, others in the place of some
  pads = 1U << 11U,          ///< its elements, and others around them
  bounds = 1U << 12U,        ///< its elements, or a bound where they are beyond it
  averages = 1U << 13U,      ///< means of its elements
  interpolates = 1U << 14U,  ///< its elements, and values between them
  adds = 1U << 15U,          ///< sums and differences
  compares = 1U << 16U,      ///< truths of its elements, or places of some
  creates = 1U << 17U,       ///< values that depend on none
  draws = 1U << 18U,         ///< random numbers
  draws_trained = 1U << 19U, ///< random numbers, where it is told that the model is trained

  // Beside that, what becomes of sizes, of numbers and of memory.
  yields_truth = 1U << 20U,   ///< truths, of which an index picks as many rows as hold
  reduces = 1U << 21U,        ///< one value of all elements, where it is given no axis
  moves_axes = 1U << 22U,     ///< sizes of its operands at other axes
  finds = 1U << 23U,          ///< as many rows as values of its operands say
  takes_sizes = 1U << 24U,    ///< of its numbers some are sizes of what it yields
  broadcasts = 1U << 25U,     ///< one size for operands of several, that of the one which is known
  asks_no_size = 1U << 26U,   ///< a fact that no size decides
  reads_values = 1U << 27U,   ///< values of a tensor as numbers of the code
  returns_memory = 1U << 28U, ///< the memory of its first operand, always or sometimes
  may_copy = 1U << 29U,       ///< that memory, or a copy where layout, dtype or training ask for it
  ranks = 1U << 30U,          ///< elements in the order of their values, or the first of those
};

constexpr Does operator|(Does a, Does b) {
  return static_cast<Does>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

/// What returns all elements of its first operand and nothing else.
constexpr Does rearranges =
    Does::keeps | Does::reshapes | Does::transposes | Does::shuffles | Does::repeats;
/// What returns only elements of its operands, and constants.
constexpr Does moves =
    rearranges | Does::cuts | Does::picks | Does::joins | Does::inserts | Does::pads;

/// What draws random numbers unless it is told not to.
constexpr Does draws_in_training = Does::drops_out | Does::draws_trained;

/// Whether an operator does one of some things.
/// @param name  canonical (`permute`), or as a file spells it: `Transpose`, `permute_copy`
bool does(std::string_view name, Does any);

} // namespace model_validator
