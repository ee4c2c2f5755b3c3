#include "verify/command/generation.h"

#include "verify/compare/runs.h"
#include "verify/inputs/sample_sizes.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/split.hpp>

#include <algorithm>
#include <cctype>
#include <set>

namespace model_validator::verify {
namespace {

/// What of a cache's name its output has, too: its numbers, and what it keeps.
std::string trait(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isdigit(byte) != 0)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  const std::string lower = boost::algorithm::to_lower_copy(name);
  for (const char* word : {"key", "value", "encoder", "decoder", "conv", "state"}) {
    const bool plural = std::string(word) == "key" || std::string(word) == "value";
    std::string searched = lower;
    if (plural) // `past_key_values` says nothing of which it is
      for (auto at = searched.find("key_value"); at != std::string::npos;
           at = searched.find("key_value"))
        searched.erase(at, 10);
    if (searched.find(word) != std::string::npos) text += std::string(" ") + word;
  }
  return text;
}

/// Of a result without names: its place in it.
bool is_numbered(const std::string& name) {
  return name.find_first_not_of("0123456789.") == std::string::npos;
}

bool is_cache(const InputNeed& need) { return need.meaning.role == InputRole::cache; }

/// Whether an output may be the cache after a call: like it but in the number of elements.
bool fits(const InputNeed& cache, const Tensor& output) {
  const Shape& shape = output.view.shape;
  if (!cache.shape || cache.shape->size() != shape.size()) return false;
  if (cache.dtype && *cache.dtype != output.view.dtype) return false;
  const std::size_t past = past_dimension(cache);
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (d != past && (*cache.shape)[d] >= 0 && (*cache.shape)[d] != shape[d] &&
        (d >= cache.symbols.size() || cache.symbols[d].empty()))
      return false;
  return true;
}

std::optional<std::size_t> output_named(const NamedTensors& outputs, const std::string& name) {
  const auto found = std::ranges::find(outputs, name, &NamedTensor::name);
  if (found == outputs.end()) return std::nullopt;
  return static_cast<std::size_t>(found - outputs.begin());
}

void wire_as_asked(const std::vector<InputNeed>& needs, const NamedTensors& outputs,
                   const std::vector<std::string>& asked, Wires& wires) {
  for (const std::string& text : asked) {
    const auto equal = text.find('=');
    const auto output = output_named(outputs, text.substr(0, equal));
    const auto input = std::ranges::find_if(needs, [&](const InputNeed& need) {
      return equal != std::string::npos && need.name == text.substr(equal + 1);
    });
    if (!output || input == needs.end())
      throw Error(ErrorKind::usage, "", "`--wire " + text + "` names no output and input",
                  "write `--wire OUTPUT=INPUT`");
    wires[static_cast<std::size_t>(input - needs.begin())] = output;
  }
}

void wire_by_name(const std::vector<InputNeed>& needs, const NamedTensors& outputs, Wires& wires) {
  for (const auto& called : {name_of_state, trait})
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (!is_cache(needs[i]) || wires[i]) continue;
      std::vector<std::size_t> alike;
      for (std::size_t o = 0; o < outputs.size(); ++o)
        if (!is_numbered(outputs[o].name) && called(outputs[o].name) == called(needs[i].name) &&
            fits(needs[i], outputs[o].tensor))
          alike.push_back(o);
      if (alike.size() == 1) wires[i] = alike.front();
    }
}

void wire_by_order(const std::vector<InputNeed>& needs, const NamedTensors& outputs, Wires& wires) {
  std::vector<std::size_t> caches, left;
  for (std::size_t i = 0; i < needs.size(); ++i)
    if (is_cache(needs[i]) && !wires[i]) caches.push_back(i);
  for (std::size_t o = 0; o < outputs.size() && !caches.empty(); ++o)
    if (std::ranges::find(wires, std::optional(o)) == wires.end() &&
        fits(needs[caches[std::min(left.size(), caches.size() - 1)]], outputs[o].tensor))
      left.push_back(o);
  if (left.size() != caches.size()) return;
  for (std::size_t i = 0; i < caches.size(); ++i) wires[caches[i]] = left[i];
}

/// The first output [batch, elements, tokens] that holds real numbers.
const Tensor* scores_in(const NamedTensors& outputs, std::int64_t tokens) {
  const auto has_scores = [&](const NamedTensor& output, bool named) {
    const Shape& shape = output.tensor.view.shape;
    return shape.size() == 3 && !is_integral(output.tensor.view.dtype) && shape.back() > 1 &&
           (named ? output.name.find("logits") != std::string::npos
                  : tokens == 0 || shape.back() == tokens);
  };
  for (const bool named : {true, false})
    for (const NamedTensor& output : outputs)
      if (has_scores(output, named)) return &output.tensor;
  return nullptr;
}

/// The sizes of the call before, which the file may call otherwise than the reference does.
void keep_sizes(const std::vector<InputNeed>& needs, const Sample& last, SampleSizes& sizes) {
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const auto* tensor = std::get_if<Tensor>(&last.at(i).data);
    const std::vector<std::string>& symbols = needs[i].symbols;
    for (std::size_t d = 0; tensor != nullptr && d < tensor->view.shape.size(); ++d) {
      const bool named = d < symbols.size() && !symbols[d].empty();
      const std::string name = named ? symbols[d] : needs[i].name + "." + std::to_string(d);
      if (sizes.find(name) == name) sizes.set(name, tensor->view.shape[d]);
    }
  }
}

/// Whether each cache has its output, but those of an encoder, which need not be returned.
bool are_wired(const std::vector<InputNeed>& needs, const Wires& wires) {
  for (std::size_t i = 0; i < needs.size(); ++i)
    if (is_cache(needs[i]) && !is_of_encoder(needs[i]) && !wires[i]) return false;
  return true;
}

/// Keys of an encoder are computed once: decoders of two branches give them back empty from then
/// on, and whoever runs them keeps the first.
Value given_back(const InputNeed& need, const Tensor& output, const Value& last) {
  return is_of_encoder(need) && element_count(output.view) == 0 ? last : Value{output};
}

/// What says where in its sequence an element is.
bool follows_position(InputRole role) {
  return role == InputRole::positions || role == InputRole::padding_mask ||
         role == InputRole::added_mask || role == InputRole::last_positions ||
         role == InputRole::total_length || role == InputRole::has_past;
}

} // namespace

std::string name_of_state(const std::string& name) {
  static const std::set<std::string> moments{
      "cur",  "current", "final", "in",     "init", "initial", "input", "last",     "new",
      "next", "old",     "out",   "output", "past", "present", "prev",  "previous", "updated"};
  std::vector<std::string> words, rest;
  const auto is_separator = [](unsigned char c) { return std::isalnum(c) == 0; };
  const std::string lower = boost::to_lower_copy(name);
  boost::split(words, lower, is_separator, boost::token_compress_on);
  for (std::string& word : words)
    if (!word.empty() && moments.count(word) == 0) rest.push_back(std::move(word));
  return boost::join(rest, "_");
}

bool names_input(const std::vector<std::string>& wires, const std::vector<InputNeed>& needs) {
  return std::ranges::any_of(wires, [&](const std::string& wire) {
    const std::string input = wire.substr(wire.find('=') + 1);
    return std::ranges::find(needs, input, &InputNeed::name) != needs.end();
  });
}

bool takes_caches(const std::vector<InputNeed>& needs) {
  return std::ranges::any_of(needs, is_cache);
}

Wires wire_caches(const std::vector<InputNeed>& needs, const NamedTensors& outputs,
                  const std::vector<std::string>& asked) {
  Wires wires(needs.size());
  wire_as_asked(needs, outputs, asked, wires);
  Wires ordered = wires;
  wire_by_name(needs, outputs, wires);
  if (!are_wired(needs, wires)) { // numbers in names that are no names may fit by chance
    wire_by_order(needs, outputs, ordered);
    wire_by_order(needs, outputs, wires);
    if (are_wired(needs, ordered)) wires = ordered;
  }
  if (std::ranges::any_of(wires, [](const auto& wire) { return wire.has_value(); }))
    return wires; // what is not returned, such as keys of an encoder, stays as it is
  const auto cache = std::ranges::find_if(needs, is_cache);
  throw Error(ErrorKind::usage, "",
              "which output is the next call's `" + cache->name + "` is not clear",
              "name it: `--wire OUTPUT=" + cache->name + "`");
}

std::optional<std::size_t> token_input(const std::vector<InputNeed>& needs) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    if (needs[i].meaning.role != InputRole::rows) continue;
    const bool more = !found || needs[i].meaning.rows > needs[*found].meaning.rows;
    const bool decodes = needs[i].name.find("decoder") != std::string::npos;
    if (more || decodes) found = i;
  }
  return found;
}

std::optional<Tensor> choose_tokens(const NamedTensors& outputs, const InputNeed& tokens,
                                    const std::vector<Tensor>& before) {
  const Tensor* given = scores_in(outputs, tokens.meaning.rows);
  if (given == nullptr) return std::nullopt;
  const std::vector<double> scores = numbers_of(given->view);
  const Shape& shape = given->view.shape;
  std::vector<double> chosen;
  for (std::int64_t b = 0; b < shape[0]; ++b) {
    std::set<std::int64_t> used;
    for (const Tensor& step : before)
      used.insert(static_cast<std::int64_t>(numbers_of(step.view).at(static_cast<std::size_t>(b))));
    std::int64_t best = -1;
    double greatest = 0;
    for (std::int64_t t = 0; t < shape[2]; ++t) {
      const double score =
          scores[static_cast<std::size_t>(((b + 1) * shape[1] - 1) * shape[2] + t)];
      if (used.count(t) != 0 || (best >= 0 && !(score > greatest))) continue;
      best = t;
      greatest = score;
    }
    chosen.push_back(static_cast<double>(std::max<std::int64_t>(best, 0)));
  }
  return tensor_of(tokens.dtype.value_or(DType::int64), {shape[0], 1}, chosen);
}

Tensor tokens_after(const std::vector<InputNeed>& needs, const NamedTensors& outputs,
                    const std::vector<Tensor>& before) {
  const auto input = token_input(needs);
  if (!input) return tensor_of(DType::int64, {0}, {});
  const InputNeed& need = needs[*input];
  if (auto chosen = choose_tokens(outputs, need, before)) return *chosen;
  const std::int64_t batch = outputs.empty() || outputs.front().tensor.view.shape.empty()
                                 ? 1
                                 : outputs.front().tensor.view.shape.front();
  return meaningful_tensor(need, need.dtype.value_or(DType::int64), {batch, 1}, {},
                           before.size() + 1, {});
}

SampleShape later(const SampleShape& shape, const Tensor& tokens) {
  SampleShape next = shape;
  next.scene.past += shape.scene.sequence;
  const Shape& given = tokens.view.shape;
  next.scene.sequence = given.size() > 1 ? given.back() : 1;
  next.scene.first_row = -1;
  if (next.scene.padding == Padding::right) next.scene.padding = Padding::none;
  return next;
}

Sample next_sample(const std::vector<InputNeed>& needs, const Wires& wires,
                   const SampleShape& shape, const Sample& last, const NamedTensors& outputs,
                   const Tensor& tokens) {
  SampleSizes sizes(needs);
  keep_sizes(needs, last, sizes);
  sizes.suggest(SizeRole::past, shape.scene.past);
  sizes.suggest(SizeRole::sequence, shape.scene.sequence);
  const auto token = token_input(needs);
  Sample next;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const InputNeed& need = needs[i];
    const InputRole role = need.meaning.role;
    const auto own = sizes.shape_of(need);
    const auto another = static_cast<std::uint64_t>(shape.scene.past) * needs.size() + i;
    const bool changes = follows_position(role);
    const bool encodes = is_of_encoder(need);
    if (wires[i])
      next.push_back(given_back(need, outputs.at(*wires[i]).tensor, last.at(i)));
    else if (token == i)
      next.push_back({tokens});
    else if (changes && !encodes && own && need.dtype)
      next.push_back({meaningful_tensor(need, *need.dtype, *own, shape.scene, i, {})});
    else if (!encodes && role != InputRole::cache && own && need.dtype)
      next.push_back({meaningful_tensor(need, *need.dtype, *own, shape.scene, another, {})});
    else
      next.push_back(last.at(i));
  }
  return next;
}

} // namespace model_validator::verify
