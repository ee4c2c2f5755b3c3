#pragma once

#include "verify/inputs/size_expression.h"

#include <model_validator/verify/inputs.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What a size that a file leaves free counts.
enum class SizeRole {
  batch,
  sequence,         ///< elements of this call
  past,             ///< elements before, which caches hold
  total,            ///< both
  encoder_sequence, ///< of the other sequence
  channels,
  extent, ///< height or width of an image
  length, ///< of sound
  other
};

/// The sizes of one sample: those that the file leaves free have names, its own or `x.0`, and a
/// size is the same wherever its name stands.
class SampleSizes {
public:
  explicit SampleSizes(const std::vector<InputNeed>& needs);

  /// The free sizes of a role, in the order of the inputs.
  std::vector<std::string> names(SizeRole role) const;
  /// Those that stand alone at a dimension of any input; none: wherever, but for batches and
  /// channels.
  std::vector<std::string> names_at(std::optional<std::int64_t> dimension) const;
  /// All of them with the sizes that they have, for people.
  KnownSizes all() const;
  /// Whether it is free. A name may be shortened: `past` for `past_sequence_length`.
  /// @returns the full name
  std::optional<std::string> find(const std::string& name) const;

  void set(const std::string& name, std::int64_t size);
  /// Sets those that nobody has fixed.
  void suggest(SizeRole role, std::int64_t size);
  void suggest(const std::string& name, std::int64_t size);
  /// They keep their size whatever is suggested.
  void fix(const std::string& name, std::int64_t size);

  /// Nothing where the file does not even say the rank.
  std::optional<Shape> shape_of(const InputNeed& need) const;
  /// Elements of this call, before it, and of both, as far as the inputs have such sizes.
  std::int64_t sequence() const;
  std::int64_t past() const;
  /// Elements that each sequence has at most of which an input gives the lengths; 0: none does.
  std::int64_t longest() const;

private:
  struct Free {
    SizeRole role = SizeRole::other;
    std::int64_t size = 0;
    bool fixed = false;
    bool placed = false; ///< a dimension is of this size alone
  };
  std::string text_of(const InputNeed& need, std::size_t dimension) const;
  std::optional<std::int64_t> size_at(const InputNeed& need, std::size_t dimension) const;
  void note(const InputNeed& need, std::size_t dimension);
  void count_own_elements();
  std::optional<std::int64_t> size_for(InputRole role, std::size_t dimension) const;

  const std::vector<InputNeed>* needs_; ///< they outlive it
  std::vector<std::string> order_;
  std::map<std::string, Free> free_;
  bool has_cache_ = false;
};

/// Whether its elements are those of an encoder, which a decoder looks at.
bool is_of_encoder(const InputNeed& need);

/// The dimension of a cache that counts the elements before; its rank where none does.
std::size_t past_dimension(const InputNeed& cache);

} // namespace model_validator::verify
