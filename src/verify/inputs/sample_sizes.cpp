#include "verify/inputs/sample_sizes.h"

#include <model_validator/data/contains.h>

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <array>

namespace model_validator::verify {
namespace {

bool is_length_of_each(const InputNeed& need) {
  return need.meaning.role == InputRole::lengths && need.shape && need.shape->size() == 1;
}

bool has_rows(const InputNeed& need) {
  return need.kind == InputNeed::Kind::tensor && need.shape && need.shape->size() >= 2;
}

bool has_part(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// By what the file calls a size.
std::optional<SizeRole> role_of_name(const std::string& name) {
  struct Word {
    const char* part;
    SizeRole role;
  };
  constexpr std::array words{
      Word{"batch", SizeRole::batch},
      Word{"total", SizeRole::total},
      Word{"past_enc", SizeRole::encoder_sequence},
      Word{"encoder", SizeRole::encoder_sequence},
      Word{"past", SizeRole::past},
      Word{"cache_len", SizeRole::past},
      Word{"kv_len", SizeRole::past},
      Word{"seq", SizeRole::sequence},
      Word{"height", SizeRole::extent},
      Word{"width", SizeRole::extent},
      Word{"channel", SizeRole::channels},
  };
  const std::string text = boost::algorithm::to_lower_copy(name);
  const bool decodes = has_part(text, "decoder") && !has_part(text, "encoder_");
  for (const auto& [part, role] : words) {
    if (role == SizeRole::encoder_sequence && decodes) continue;
    if (has_part(text, part)) return role;
  }
  return std::nullopt;
}

SizeRole role_at_end(std::size_t dimension, std::size_t rank, SizeRole last) {
  return dimension == rank - 1 ? last : SizeRole::other;
}

SizeRole role_in_mask(std::size_t dimension, std::size_t rank, bool has_cache) {
  if (dimension == rank - 1) return has_cache ? SizeRole::total : SizeRole::sequence;
  return rank > 2 && dimension == rank - 2 ? SizeRole::sequence : SizeRole::other;
}

SizeRole role_in_image(std::size_t dimension, std::size_t rank) {
  if (dimension + 3 == rank) return SizeRole::channels;
  return dimension + 2 >= rank ? SizeRole::extent : SizeRole::other;
}

SizeRole role_in_anything(std::size_t dimension, std::size_t rank) {
  if (dimension == 0) return SizeRole::batch;
  if (rank >= 4) return role_in_image(dimension, rank);
  return dimension == 1 && rank == 3 ? SizeRole::sequence : SizeRole::other;
}

/// By where it stands.
SizeRole role_at(const InputNeed& need, std::size_t dimension, bool has_cache) {
  const std::size_t rank = need.shape->size();
  const InputRole input = need.meaning.role;
  if (input == InputRole::cache && dimension == past_dimension(need)) return SizeRole::past;
  if (dimension == 0 && rank > 1) return SizeRole::batch;
  if (input == InputRole::cache) return SizeRole::other;
  if (is_of_encoder(need) && dimension == 1) return SizeRole::encoder_sequence;
  switch (input) {
  case InputRole::rows:
  case InputRole::positions: return role_at_end(dimension, rank, SizeRole::sequence);
  case InputRole::padding_mask:
  case InputRole::added_mask: return role_in_mask(dimension, rank, has_cache);
  case InputRole::image: return role_in_image(dimension, rank);
  case InputRole::sound: return role_at_end(dimension, rank, SizeRole::length);
  case InputRole::last_positions: return SizeRole::batch;
  default: return role_in_anything(dimension, rank);
  }
}

/// Sound is so many values that what a file calls their sequence is longer than one of tokens.
std::optional<SizeRole> role_by_name(const InputNeed& need, const std::string& name) {
  const auto named = role_of_name(name);
  if (named == SizeRole::sequence && need.meaning.role == InputRole::sound) return std::nullopt;
  return named;
}

/// Small, unlike one another, and no power of two, so that one taken for another shows.
std::int64_t usual_size(SizeRole role) {
  switch (role) {
  case SizeRole::batch: return 2;
  case SizeRole::sequence: return 7;
  case SizeRole::past: return 5;
  case SizeRole::total: return 12;
  case SizeRole::encoder_sequence: return 9;
  case SizeRole::channels: return 3;
  case SizeRole::extent: return 224;
  case SizeRole::length: return 4000;
  case SizeRole::other: break;
  }
  return 4;
}

/// Of a picture; what has other channels, as the latent of a diffusion model, is smaller.
std::int64_t usual_extent(const InputNeed& need) {
  constexpr std::int64_t of_latent = 64; // that of 512 pixels in Stable Diffusion
  const std::size_t rank = need.shape->size();
  const std::int64_t channels = rank == 4 ? (*need.shape)[1] : 3;
  return channels < 0 || channels == 1 || channels == 3 ? usual_size(SizeRole::extent) : of_latent;
}

} // namespace

bool is_of_encoder(const InputNeed& need) {
  const std::string name = boost::algorithm::to_lower_copy(need.name);
  return has_part(name, "encoder") && !has_part(name, "decoder_");
}

std::size_t past_dimension(const InputNeed& cache) {
  const std::size_t rank = cache.shape ? cache.shape->size() : 0;
  for (std::size_t d = 0; d < cache.symbols.size() && d < rank; ++d)
    if (role_of_name(cache.symbols[d]) == SizeRole::past) return d;
  constexpr std::size_t fewest = 3; // a state of fewer dimensions is replaced, and does not grow
  return rank >= fewest ? rank - 2 : rank;
}

SampleSizes::SampleSizes(const std::vector<InputNeed>& needs) : needs_(&needs) {
  has_cache_ = std::ranges::any_of(needs, [](const InputNeed& need) {
    return need.meaning.role == InputRole::cache && !is_of_encoder(need) && need.shape &&
           past_dimension(need) < need.shape->size();
  });
  for (const InputNeed& need : needs)
    for (std::size_t d = 0; need.shape && d < need.shape->size(); ++d) note(need, d);
  count_own_elements();
}

/// An encoder alone takes its elements in this call, whatever the file calls them.
void SampleSizes::count_own_elements() {
  for (const InputNeed& need : *needs_) {
    if (need.meaning.role != InputRole::rows || !need.shape || need.shape->empty()) continue;
    const auto found = free_.find(text_of(need, need.shape->size() - 1));
    if (found == free_.end() || found->second.role != SizeRole::encoder_sequence) continue;
    found->second.role = SizeRole::sequence;
    if (need.shape->back() < 0) found->second.size = usual_size(SizeRole::sequence);
  }
}

std::string SampleSizes::text_of(const InputNeed& need, std::size_t dimension) const {
  if (dimension < need.symbols.size() && !need.symbols[dimension].empty())
    return need.symbols[dimension];
  return (*need.shape)[dimension] < 0 ? need.name + "." + std::to_string(dimension) : "";
}

void SampleSizes::note(const InputNeed& need, std::size_t dimension) {
  const std::string text = text_of(need, dimension);
  if (text.empty()) return;
  const bool unnamed = text == need.name + "." + std::to_string(dimension);
  for (const std::string& name : unnamed ? std::vector{text} : names_in_size(text)) {
    const bool alone = name == text;
    const auto [found, is_new] = free_.try_emplace(name);
    if (is_new) order_.push_back(name);
    Free& size = found->second;
    if (is_new || (alone && !size.placed)) {
      const auto named = role_by_name(need, name);
      size.role = named ? *named : alone ? role_at(need, dimension, has_cache_) : SizeRole::other;
      size.size = size.role == SizeRole::extent ? usual_extent(need) : usual_size(size.role);
      size.placed = alone;
      if (alone && (*need.shape)[dimension] >= 0) size.size = (*need.shape)[dimension];
    }
  }
}

std::vector<std::string> SampleSizes::names(SizeRole role) const {
  std::vector<std::string> found;
  for (const std::string& name : order_)
    if (free_.at(name).role == role) found.push_back(name);
  return found;
}

std::vector<std::string> SampleSizes::names_at(std::optional<std::int64_t> dimension) const {
  std::vector<std::string> found;
  const auto add = [&](const std::string& name) {
    if (free_.contains(name) && !contains(found, name)) found.push_back(name);
  };
  for (const InputNeed& need : *needs_) {
    const auto rank = static_cast<std::int64_t>(need.shape ? need.shape->size() : 0);
    const std::int64_t at = dimension.value_or(0) + (dimension.value_or(0) < 0 ? rank : 0);
    if (dimension && at >= 0 && at < rank) add(text_of(need, static_cast<std::size_t>(at)));
  }
  if (found.empty())
    for (const auto& [name, free] : free_)
      if (free.role != SizeRole::batch && free.role != SizeRole::channels) add(name);
  return found;
}

std::optional<std::string> SampleSizes::find(const std::string& name) const {
  if (free_.count(name) != 0) return name;
  std::optional<std::string> shortened;
  for (const std::string& full : order_) {
    if (!full.starts_with(name + "_")) continue;
    if (shortened) return std::nullopt;
    shortened = full;
  }
  return shortened;
}

void SampleSizes::set(const std::string& name, std::int64_t size) { free_.at(name).size = size; }

void SampleSizes::suggest(SizeRole role, std::int64_t size) {
  for (auto& [name, free] : free_)
    if (free.role == role && !free.fixed) free.size = size;
}

void SampleSizes::suggest(const std::string& name, std::int64_t size) {
  if (Free& free = free_.at(name); !free.fixed) free.size = size;
}

void SampleSizes::fix(const std::string& name, std::int64_t size) {
  free_.at(name).size = size;
  free_.at(name).fixed = true;
}

KnownSizes SampleSizes::all() const {
  KnownSizes sizes;
  for (const auto& [name, free] : free_) sizes[name] = free.size;
  for (const auto& [name, free] : free_)
    if (free.role == SizeRole::total && !free.fixed) sizes[name] = past() + sequence();
  return sizes;
}

std::optional<std::int64_t> SampleSizes::size_at(const InputNeed& need,
                                                 std::size_t dimension) const {
  const std::string text = text_of(need, dimension);
  const std::int64_t stated = (*need.shape)[dimension];
  if (text.empty()) return stated;
  if (const auto size = evaluate_size(text, all()); size && *size >= 0) return size;
  return stated >= 0 ? std::optional(stated) : std::nullopt;
}

std::optional<Shape> SampleSizes::shape_of(const InputNeed& need) const {
  if (!need.shape) return std::nullopt;
  Shape shape;
  for (std::size_t d = 0; d < need.shape->size(); ++d) {
    const auto size = size_at(need, d);
    if (!size) return std::nullopt;
    shape.push_back(*size);
  }
  return shape;
}

std::optional<std::int64_t> SampleSizes::size_for(InputRole role, std::size_t dimension) const {
  for (const InputNeed& need : *needs_) {
    if (need.meaning.role != role || !need.shape || need.shape->empty()) continue;
    const std::size_t at = std::min(dimension, need.shape->size() - 1);
    const std::string text = text_of(need, at);
    if (text.empty()) return (*need.shape)[at];
    const auto found = free_.find(text);
    if (found != free_.end()) return found->second.size;
  }
  return std::nullopt;
}

std::int64_t SampleSizes::sequence() const {
  for (const std::string& name : names(SizeRole::sequence)) return free_.at(name).size;
  const auto of_rows = size_for(InputRole::rows, 1);
  return of_rows ? *of_rows : size_for(InputRole::padding_mask, 1).value_or(1);
}

/// Of the first tensor of reals, whichever dimension counts its elements: the least of the sizes
/// that are free, or of all but 1, without that of the batch.
std::int64_t SampleSizes::longest() const {
  const auto lengths = std::ranges::find_if(*needs_, is_length_of_each);
  const auto padded = std::ranges::find_if(*needs_, has_rows);
  if (lengths == needs_->end() || padded == needs_->end()) return 0;
  const std::string batch = text_of(*lengths, 0);
  std::int64_t free = 0, fixed = 0;
  for (std::size_t d = 0; d < padded->shape->size(); ++d) {
    const std::string text = text_of(*padded, d);
    const std::int64_t size = size_at(*padded, d).value_or(1);
    const bool of_batch = text == batch && (!text.empty() || size == lengths->shape->front());
    if (size <= 1 || of_batch) continue;
    std::int64_t& least = text.empty() ? fixed : free;
    least = least == 0 ? size : std::min(least, size);
  }
  return free != 0 ? free : std::max<std::int64_t>(fixed, 1);
}

std::int64_t SampleSizes::past() const {
  for (const std::string& name : names(SizeRole::past)) return free_.at(name).size;
  for (const InputNeed& need : *needs_)
    if (need.meaning.role == InputRole::cache && need.shape && !is_of_encoder(need) &&
        past_dimension(need) < need.shape->size())
      return std::max<std::int64_t>((*need.shape)[past_dimension(need)], 0);
  return 0;
}

} // namespace model_validator::verify
