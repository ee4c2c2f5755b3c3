#include "verify/command/carried_state.h"

#include "text/lists.h"
#include "verify/command/channel_layout.h"
#include "verify/command/generation.h"
#include "verify/inputs/strided_copy.h"

#include <model_validator/data/contains.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

bool is_fixed(const InputNeed& need) {
  return need.shape && std::ranges::none_of(*need.shape, [](auto size) { return size < 0; });
}

/// Whether a state may be given to an input. One more dimension of 1 makes no difference.
bool may_start(const InputNeed& need, const TensorView& state) {
  if (need.kind != InputNeed::Kind::tensor) return false;
  if (need.dtype && facts_of(*need.dtype).kind != facts_of(state.dtype).kind) return false;
  if (is_fixed(need))
    return element_count(contiguous_view(nullptr, state.dtype, *need.shape)) ==
           element_count(state);
  return !need.shape || may_be_equal(*need.shape, state.shape);
}

/// How surely an input is called like a state, of the module that ends its name.
enum class Likeness { of_shape, of_beginning, of_name };

bool is_called_like(const std::string& input, const std::string& state, Likeness least) {
  const std::string name = name_of_state(input);
  const std::string kept = name_of_state(state.substr(state.rfind('.') + 1));
  if (least == Likeness::of_shape) return true;
  if (name.empty() || kept.empty()) return false;
  return least == Likeness::of_name ? name == kept
                                    : name.starts_with(kept) || kept.starts_with(name);
}

struct Pairing {
  std::size_t input;
  const NamedTensor* state;
};

std::vector<Pairing> paired(const std::vector<InputNeed>& needs,
                            const std::vector<std::string>& unmatched, const NamedTensors& kept) {
  std::vector<Pairing> pairs;
  for (const auto likeness : {Likeness::of_name, Likeness::of_beginning, Likeness::of_shape})
    for (std::size_t i = 0; i < needs.size(); ++i) {
      const bool is_paired = std::ranges::find(pairs, i, &Pairing::input) != pairs.end();
      if (is_paired || !contains(unmatched, needs[i].name)) continue;
      const auto state = std::ranges::find_if(kept, [&](const NamedTensor& each) {
        return std::ranges::find(pairs, &each, &Pairing::state) == pairs.end() &&
               may_start(needs[i], each.tensor.view) &&
               is_called_like(needs[i].name, each.name, likeness);
      });
      if (state != kept.end()) pairs.push_back({i, &*state});
    }
  return pairs;
}

Tensor shaped_for(const InputNeed& need, Tensor state) {
  if (is_fixed(need)) state.view = contiguous_view(state.view.data, state.view.dtype, *need.shape);
  return state;
}

std::string note_on(const std::vector<InputNeed>& needs, const std::vector<Pairing>& pairs) {
  std::vector<std::string> names;
  for (const auto& [input, state] : pairs)
    names.push_back("`" + state->name + "` is `" + needs[input].name + "`");
  return "state that one model keeps is given to the other as inputs, from the file's values on, "
         "and what it returns for it is given back: " +
         list_in_words(names);
}

} // namespace

bool share_state(ComparedPair& pair, StateTaker taker, const NamedTensors& kept) {
  if (!pair.candidate_inputs || pair.generates) return false;
  const bool of_candidate = taker == StateTaker::candidate;
  auto& needs = of_candidate ? pair.candidate->needs : pair.reference.needs;
  auto& unmatched = of_candidate ? pair.candidate_inputs->filled : pair.candidate_inputs->left;
  auto& samples = of_candidate ? pair.candidate_inputs->samples : pair.samples;
  const auto pairs = paired(needs, unmatched, kept);
  if (pairs.empty()) return false;
  for (const auto& [input, state] : pairs) {
    needs[input].meaning.role = InputRole::cache;
    for (Sample& sample : samples)
      sample.at(input) = {shaped_for(needs[input], row_major(state->tensor))};
    std::erase(unmatched, needs[input].name);
    std::erase_if(pair.made_up_inputs, [&](const std::string& made_up) {
      return made_up.starts_with("`" + needs[input].name + "`");
    });
  }
  pair.state_taker = taker;
  ++pair.revision;
  pair.notes.push_back(note_on(needs, pairs));
  return true;
}

void give_back_state(const std::vector<InputNeed>& needs, const std::vector<std::string>& wires,
                     const NamedTensors& outputs, Sample& next) {
  const Wires given = wire_caches(needs, outputs, wires);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i]) next.at(i) = {outputs.at(*given[i]).tensor};
}

void leave_out_state(const std::vector<InputNeed>& needs, const std::vector<std::string>& wires,
                     RunResults& results) {
  for (NamedTensors& outputs : results.samples) {
    if (outputs.empty()) continue; // it failed
    const Wires given = wire_caches(needs, outputs, wires);
    NamedTensors rest;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (!contains(given, std::optional(i))) rest.push_back(std::move(outputs[i]));
    outputs = std::move(rest);
  }
}

} // namespace model_validator::verify
