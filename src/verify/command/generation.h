#pragma once

#include "verify/inputs/input_files.h"
#include "verify/inputs/npz.h"

#include <model_validator/verify/inputs.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Which output each input of the next call is; none for inputs that are made anew.
using Wires = std::vector<std::optional<std::size_t>>;

/// What the input and the output of one state are both called: `h` of `h_in` and `next_h`.
std::string name_of_state(const std::string& name);

/// Whether `--wire` names an input of the model.
bool names_input(const std::vector<std::string>& wires, const std::vector<InputNeed>& needs);

/// Whether a model takes what it kept as inputs.
bool takes_caches(const std::vector<InputNeed>& needs);

/// Outputs that are given back as caches: by name (`present.3.key` is `past_key_values.3.key`),
/// else by their order where as many outputs as caches have the shape of one.
/// @param asked  `present_0=past.0`, as `--wire` says it; these come first
/// @throws Error (`usage`) naming a cache for which no output is found
Wires wire_caches(const std::vector<InputNeed>& needs, const NamedTensors& outputs,
                  const std::vector<std::string>& asked);

/// The likeliest token of each sequence: where the scores after its last element are greatest.
/// @param before  tokens that were chosen already, which are passed over so that each step has
/// another
/// @returns nothing where no output has scores [batch, elements, tokens]
std::optional<Tensor> choose_tokens(const NamedTensors& outputs, const InputNeed& tokens,
                                    const std::vector<Tensor>& before);

/// The input that takes tokens; none where the model takes no such numbers.
std::optional<std::size_t> token_input(const std::vector<InputNeed>& needs);

/// The tokens of the next call: the likeliest, or where no output has scores any.
Tensor tokens_after(const std::vector<InputNeed>& needs, const NamedTensors& outputs,
                    const std::vector<Tensor>& before);

/// The same sample, some elements later.
SampleShape later(const SampleShape& shape, const Tensor& tokens);

/// What the next call takes: the caches, the tokens, and everything else as its meaning has it.
/// @param shape  of that call. @param last  what the call before took
Sample next_sample(const std::vector<InputNeed>& needs, const Wires& wires,
                   const SampleShape& shape, const Sample& last, const NamedTensors& outputs,
                   const Tensor& tokens);

} // namespace model_validator::verify
