#include "verify/command/candidate_inputs.h"

#include "verify/command/channel_layout.h"
#include "verify/inputs/bounds.h"
#include "verify/inputs/dtype_range.h"
#include "verify/inputs/sample_sizes.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <cctype>
#include <regex>
#include <utility>

namespace model_validator::verify {
namespace {

/// `past_key_values.0.key` and `past_key_values_0_key` are one name.
std::string plain(const std::string& name) {
  std::string text;
  for (const char c : name)
    text += std::isalnum(static_cast<unsigned char>(c)) != 0
                ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                : '_';
  return text;
}

bool takes_only_tensors(const std::vector<InputNeed>& needs) {
  return std::ranges::all_of(
      needs, [](const InputNeed& need) { return need.kind != InputNeed::Kind::other; });
}

bool may_be_one(const InputNeed& one, const InputNeed& other) {
  if (one.kind != other.kind) return false;
  if (one.dtype && other.dtype && is_integral(*one.dtype) != is_integral(*other.dtype) &&
      !holds_all_of(*one.dtype, *other.dtype) && !holds_all_of(*other.dtype, *one.dtype))
    return false;
  return !one.shape || !other.shape || one.shape->size() == other.shape->size();
}

std::optional<std::size_t> named(const std::vector<InputNeed>& needs, const std::string& name) {
  for (std::size_t i = 0; i < needs.size(); ++i)
    if (needs[i].name == name) return i;
  for (std::size_t i = 0; i < needs.size(); ++i)
    if (plain(needs[i].name) == plain(name)) return i;
  return std::nullopt;
}

/// Those left on either side go together in their order, if each pair may be one.
void match_the_rest(const std::vector<InputNeed>& reference,
                    const std::vector<InputNeed>& candidate, InputMatch& match) {
  std::vector<std::size_t> left, open;
  for (std::size_t i = 0; i < reference.size(); ++i)
    if (std::ranges::find(match, std::optional(i)) == match.end()) left.push_back(i);
  for (std::size_t i = 0; i < candidate.size(); ++i)
    if (!match[i]) open.push_back(i);
  if (left.size() != open.size()) return;
  for (std::size_t i = 0; i < open.size(); ++i)
    if (!may_be_one(reference[left[i]], candidate[open[i]])) return;
  for (std::size_t i = 0; i < open.size(); ++i) match[open[i]] = left[i];
}

bool is_identity(const InputMatch& match, std::size_t inputs) {
  for (std::size_t i = 0; i < match.size(); ++i)
    if (match[i] != i) return false;
  return match.size() == inputs;
}

InputMatch matched(const std::vector<InputNeed>& reference,
                   const std::vector<InputNeed>& candidate) {
  InputMatch match(candidate.size());
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    const auto found = named(reference, candidate[i].name);
    const bool taken = found && std::ranges::find(match, found) != match.end();
    if (found && !taken) match[i] = found;
  }
  match_the_rest(reference, candidate, match);
  return match;
}

const Tensor* tensor_in(const Value& value) { return std::get_if<Tensor>(&value.data); }

/// The free sizes of the candidate in one sample: those of the inputs that it shares.
SampleSizes sizes_of(const std::vector<InputNeed>& candidate, const InputMatch& match,
                     const Sample& sample, const SampleShape& shape) {
  SampleSizes sizes(candidate);
  for (const auto& [name, size] : shape.sizes)
    if (sizes.find(name) == name) sizes.fix(name, size);
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    const Tensor* tensor = match[i] ? tensor_in(sample.at(*match[i])) : nullptr;
    if (tensor == nullptr) continue;
    for (std::size_t d = 0; d < candidate[i].symbols.size() && d < tensor->view.shape.size(); ++d)
      if (const auto name = sizes.find(candidate[i].symbols[d]); name == candidate[i].symbols[d])
        sizes.fix(*name, tensor->view.shape[d]);
  }
  return sizes;
}

std::string list_of(const std::vector<std::string>& names) {
  return "`" + boost::join(names, "`, `") + "`";
}

/// A size that a name stands for, wherever it stands.
void bind(std::vector<InputNeed>& needs, const std::string& name, std::int64_t size) {
  static const std::regex special(R"([.*+?^${}()|[\]\\])");
  const std::regex word("\\b" + std::regex_replace(name, special, R"(\$&)") + "\\b");
  for (InputNeed& need : needs)
    for (std::size_t d = 0; need.shape && d < need.symbols.size() && d < need.shape->size(); ++d) {
      std::string& symbol = need.symbols[d];
      if (symbol != name) {
        symbol = std::regex_replace(symbol, word, std::to_string(size));
        continue;
      }
      symbol.clear();
      (*need.shape)[d] = size;
    }
}

} // namespace

std::optional<InputMatch> match_inputs(const std::vector<InputNeed>& reference,
                                       const std::vector<InputNeed>& candidate) {
  if (candidate.empty() || !takes_only_tensors(reference) || !takes_only_tensors(candidate))
    return std::nullopt;
  InputMatch match = matched(reference, candidate);
  return is_identity(match, reference.size()) ? std::nullopt : std::optional(std::move(match));
}

std::vector<std::string> notes_on(const CandidateInputs& inputs,
                                  const std::vector<InputNeed>& candidate) {
  std::vector<std::string> notes, filled;
  for (const InputNeed& need : candidate)
    if (contains(inputs.filled, need.name))
      filled.push_back("`" + need.name + "`" +
                       (need.meaning.role == InputRole::unknown
                            ? ""
                            : std::string(" (") + to_string(need.meaning.role) + ")"));
  if (!inputs.left.empty())
    notes.push_back("the candidate does not take " + list_of(inputs.left) +
                    ", which the reference alone has");
  if (!filled.empty())
    notes.push_back("the candidate alone takes " + boost::join(filled, ", ") +
                    ", filled in by what each is taken for");
  return notes;
}

CandidateInputs candidate_inputs(const std::vector<InputNeed>& reference,
                                 const std::vector<InputNeed>& candidate, const InputMatch& match,
                                 const std::vector<Sample>& samples,
                                 const std::vector<SampleShape>& shapes) {
  CandidateInputs inputs;
  for (const InputNeed& need : candidate) inputs.names.push_back(need.name);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const SampleSizes sizes = sizes_of(candidate, match, samples[s], shapes.at(s));
    Sample own;
    for (std::size_t i = 0; i < candidate.size(); ++i) {
      const InputNeed& need = candidate[i];
      const auto shape = sizes.shape_of(need);
      if (match[i])
        own.push_back(samples[s].at(*match[i]));
      else if (need.dtype && shape)
        own.push_back({meaningful_tensor(need, *need.dtype, *shape, shapes[s].scene, i, {})});
      else if (!need.required)
        own.push_back({});
      else
        throw Error(ErrorKind::missing_input, "",
                    "the candidate needs the input `" + need.name +
                        "`, which the reference does not have",
                    "give both files the same inputs");
      if (s == 0 && !match[i]) inputs.filled.push_back(need.name);
    }
    inputs.samples.push_back(std::move(own));
  }
  for (std::size_t i = 0; i < reference.size(); ++i)
    if (std::ranges::find(match, std::optional(i)) == match.end())
      inputs.left.push_back(reference[i].name);
  return inputs;
}

namespace {

/// A copy in halves declares halves; a trace, which declares nothing, still takes what its weights
/// are. Whole numbers of a copy are numbers of the reference, too.
std::optional<DType> dtype_for(const InputNeed& need, const InputNeed& known) {
  if (!known.dtype) return need.dtype;
  const bool is_flag = known.dtype == DType::bool_;
  if (need.dtype && (is_flag || is_integral(*known.dtype) != is_integral(*need.dtype)) &&
      holds_all_of(*need.dtype, *known.dtype))
    return known.dtype;
  if (need.dtype) return need.dtype;
  return is_floating(*known.dtype) && need.dtype_of_weights ? need.dtype_of_weights : known.dtype;
}

void take_over_meaning(InputNeed& need, const InputNeed& known, std::vector<std::string>& notes) {
  if (need.meaning.role == InputRole::unknown) {
    const InputMeaning own = std::exchange(need.meaning, known.meaning);
    add_bounds(need.meaning, own);
  } else {
    add_bounds(need.meaning, known.meaning);
  }
  if (need.meaning.rows == 0) need.meaning.rows = known.meaning.rows;
  if (!need.meaning.calibrated) need.meaning.calibrated = known.meaning.calibrated;
  if (!known.meaning.counted || need.meaning.counted) return;
  need.meaning.counted = true;
  notes.push_back("the candidate only counts the elements that `" + known.name +
                  "` leaves, as if they came first: padding on the left is not tried");
}

/// What the candidate fixes holds for both.
void take_over_sizes(std::vector<InputNeed>& reference, InputNeed& need, const InputNeed& known,
                     std::vector<std::string>& notes) {
  for (std::size_t d = 0; d < need.shape->size() && d < known.shape->size(); ++d) {
    const bool fixed =
        (*known.shape)[d] >= 0 && (d >= known.symbols.size() || known.symbols[d].empty());
    const std::string symbol = d < need.symbols.size() ? need.symbols[d] : "";
    if (!fixed || (symbol.empty() && (*need.shape)[d] >= 0)) continue;
    if (symbol.empty() || names_in_size(symbol) != std::vector{symbol})
      (*need.shape)[d] = (*known.shape)[d];
    else
      bind(reference, symbol, (*known.shape)[d]);
    notes.push_back("the candidate fixes dimension " + std::to_string(d) + " of `" + known.name +
                    "` at " + std::to_string((*known.shape)[d]) +
                    ", which the reference leaves free");
  }
}

} // namespace

std::vector<std::string> take_over_declarations(std::vector<InputNeed>& reference,
                                                const std::vector<InputNeed>& candidate) {
  std::vector<std::string> notes;
  if (!takes_only_tensors(reference) || !takes_only_tensors(candidate)) return notes;
  const InputMatch match = matched(reference, candidate);
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    if (!match[i]) continue;
    InputNeed known = candidate[i];
    InputNeed& need = reference[*match[i]];
    if (need.shape && known.shape) known.shape = in_layout_of(*need.shape, *known.shape);
    if (need.kind != InputNeed::Kind::tensor) continue;
    need.dtype = dtype_for(need, known);
    take_over_meaning(need, known, notes);
    if (known.shape && need.shape) {
      take_over_sizes(reference, need, known, notes);
    } else if (known.shape) {
      need.shape = known.shape;
      need.symbols = known.symbols;
    }
  }
  return notes;
}

void use_names_of_reference(InputOptions& options, const std::vector<InputNeed>& reference,
                            const std::vector<InputNeed>& candidate) {
  if (!takes_only_tensors(reference) || !takes_only_tensors(candidate)) return;
  const InputMatch match = matched(reference, candidate);
  for (std::string& spec : options.specs) {
    const auto equal = spec.find('=');
    if (equal == std::string::npos || equal == 0) continue;
    const std::string name = spec.substr(0, equal);
    for (std::size_t i = 0; i < candidate.size(); ++i)
      if (match[i] && candidate[i].name == name)
        spec = reference[*match[i]].name + spec.substr(equal);
  }
  for (std::size_t i = 0; i < candidate.size(); ++i)
    if (match[i] && candidate[i].name != reference[*match[i]].name)
      options.other_names[candidate[i].name] = reference[*match[i]].name;
    else if (!match[i])
      options.other_names[candidate[i].name] = "";
}

} // namespace model_validator::verify
