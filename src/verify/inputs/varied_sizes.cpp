#include "verify/inputs/varied_sizes.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/split.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace model_validator::verify {
namespace {

constexpr std::size_t max_combinations = 1000;

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  boost::algorithm::split(parts, text, [](char c) { return c == ','; });
  return parts;
}

std::optional<std::int64_t> whole(const std::string& text) {
  std::int64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end && number >= 0 ? std::optional(number) : std::nullopt;
}

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorKind::bad_input_spec, "", "`" + text + "` names no sizes",
              "write `--sizes x.0=1,2,7` for dimension 0 of the input `x`");
}

std::string symbol_of(const InputNeed& need, std::size_t dimension) {
  return dimension < need.symbols.size() ? need.symbols[dimension] : "";
}

/// `x.0`: the input's name may have dots of its own.
bool is_dimension(const std::string& name, const InputNeed& need, std::size_t dimension) {
  return name == need.name + "." + std::to_string(dimension);
}

std::size_t dimensions_of(const InputNeed& need) {
  constexpr std::size_t most = 16; ///< of a tensor whose rank the file does not say
  return need.shape ? need.shape->size() : most;
}

/// The symbol that the file gives to a dimension; the name itself if it is one, or has none.
std::string shared_name(const std::vector<InputNeed>& needs, const std::string& name) {
  for (const InputNeed& need : needs)
    for (std::size_t d = 0; d < dimensions_of(need); ++d)
      if (is_dimension(name, need, d) && !symbol_of(need, d).empty()) return symbol_of(need, d);
  return name;
}

std::string known_dimensions(const std::vector<InputNeed>& needs) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const auto& [name, size] : SampleSizes(needs).all()) add("`" + name + "`");
  for (const InputNeed& need : needs)
    if (need.kind == InputNeed::Kind::tensor)
      for (std::size_t d = 0; need.shape && d < need.shape->size(); ++d)
        add("`" + need.name + "." + std::to_string(d) + "`");
  return names.empty() ? "name it by input and number, `x.0`"
                       : "it has " + boost::join(names, ", ");
}

} // namespace

void VariedSizes::add_name(const std::vector<InputNeed>& needs, const std::string& part,
                           Choice& choice) {
  const SampleSizes free(needs);
  const std::string shared = shared_name(needs, part);
  const auto full = free.find(shared);
  if (full) choice.names.push_back(*full);
  const std::string& name = full ? *full : shared;
  const std::size_t before = choice.dimensions.size();
  for (const InputNeed& need : needs)
    for (std::size_t d = 0; d < dimensions_of(need); ++d)
      if (symbol_of(need, d) == name || is_dimension(name, need, d))
        choice.dimensions.push_back({need.name, d});
  if (choice.dimensions.size() == before && !full)
    throw Error(ErrorKind::unknown_input, "", "no input has a dimension `" + part + "`",
                known_dimensions(needs));
}

/// `x.0,y.0=1,2,7` is one choice, `batch=2,sequence=8` are two.
void VariedSizes::read(const std::vector<InputNeed>& needs, const std::string& text) {
  Choice choice;
  const auto finish = [&] {
    if (!choice.sizes.empty()) choices_.push_back(std::move(choice));
    choice = {};
  };
  for (const std::string& part : parts_of(text)) {
    if (part.empty()) refuse(text);
    const auto equal = part.rfind('=');
    const auto size = whole(equal == std::string::npos ? part : part.substr(equal + 1));
    const bool names = equal != std::string::npos || !size;
    if (names && !choice.sizes.empty()) finish();
    if (names) add_name(needs, part.substr(0, equal), choice);
    if (equal == std::string::npos && !size) continue;
    if (!size || choice.names.size() + choice.dimensions.size() == 0) refuse(text);
    choice.sizes.push_back(*size);
  }
  if (choice.sizes.empty()) refuse(text);
  finish();
}

VariedSizes::VariedSizes(const std::vector<InputNeed>& needs,
                         const std::vector<std::string>& texts) {
  for (const std::string& text : texts) read(needs, text);
  for (const Choice& choice : choices_) {
    count_ *= choice.sizes.size();
    if (count_ > max_combinations)
      throw Error(ErrorKind::bad_input_spec, "",
                  "`--sizes` has more than " + std::to_string(max_combinations) + " combinations",
                  "give fewer sizes");
  }
}

void VariedSizes::fix(SampleSizes& sizes, std::size_t combination) const {
  for (const Choice& choice : choices_) {
    const std::int64_t size = choice.sizes[combination % choice.sizes.size()];
    combination /= choice.sizes.size();
    for (const std::string& name : choice.names) sizes.fix(name, size);
  }
}

Shape VariedSizes::fit(const std::string& input, Shape shape, std::size_t combination) const {
  for (const Choice& choice : choices_) {
    const std::int64_t size = choice.sizes[combination % choice.sizes.size()];
    combination /= choice.sizes.size();
    for (const Dimension& dimension : choice.dimensions)
      if (dimension.input == input && dimension.number < shape.size())
        shape[dimension.number] = size;
  }
  return shape;
}

} // namespace model_validator::verify
