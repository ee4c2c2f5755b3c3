#include "verify/command/self_check.h"

#include "verify/command/generation.h"
#include "verify/command/model_runs.h"
#include "verify/inputs/strided_copy.h"

#include <model_validator/error.h>

#include <memory>

namespace model_validator::verify {
namespace {

/// @param begin  where the part begins along each dimension
Tensor part_of(const Tensor& whole, const Shape& shape, const Shape& begin) {
  TensorView part = whole.view;
  part.shape = shape;
  std::int64_t at = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) at += begin[d] * part.strides[d];
  part.data = static_cast<const std::byte*>(part.data) +
              at * static_cast<std::int64_t>(element_size(part.dtype));
  return row_major({part, whole.owner});
}

/// The elements of the text that a call takes.
struct Piece {
  std::int64_t begin = 0, end = 0;
};

/// What a call on a piece should give: the part of the result for the whole that has its shape.
/// Nothing where there is none. What is of one size whatever was read, such as a ring of the last
/// elements, is the same only once all was read.
std::optional<Tensor> expected(const Tensor& whole, const Tensor& got, const Piece& piece,
                               const Scene& scene) {
  const Shape& from = whole.view.shape;
  const Shape& to = got.view.shape;
  if (from.size() != to.size()) return std::nullopt;
  if (from == to && piece.end < scene.sequence) return std::nullopt;
  Shape begin(from.size(), 0);
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (from[d] == to[d]) continue;
    const bool rows = from[d] == scene.sequence && to[d] == piece.end - piece.begin;
    const bool kept = from[d] == scene.past + scene.sequence && to[d] == scene.past + piece.end;
    if (!rows && !kept) return std::nullopt;
    begin[d] = rows ? piece.begin : 0;
  }
  return part_of(whole, to, begin);
}

Tensor columns(const Tensor& tokens, std::int64_t begin, std::int64_t end) {
  Shape shape = tokens.view.shape, first(shape.size(), 0);
  shape.back() = end - begin;
  first.back() = begin;
  return part_of(tokens, shape, first);
}

RunResults run_whole(ComparedPair& pair, std::int64_t elements) {
  const std::optional<std::size_t> steps = pair.steps;
  pair.steps = 1;
  pair.generates = pair.chooses_samples = false;
  std::optional<Error> first;
  for (const std::int64_t past : {0, 5}) { // some exports take no empty cache
    take_sample_of(pair, elements, past);
    try {
      RunResults whole = run_reference(pair);
      pair.steps = steps;
      return whole;
    } catch (const Error& error) {
      if (!first) first = error;
    }
  }
  throw *first;
}

/// The text in calls: a prompt, then pieces of some length.
void run_pieces(ComparedPair& pair, const Sample& text, std::int64_t length, SelfCheck& check) {
  const auto& needs = pair.reference.needs;
  const Tensor tokens = std::get<Tensor>(text.at(*token_input(needs)).data);
  SampleShape& shape = pair.shapes.front();
  shape.scene.sequence = check.first;
  pair.samples = {
      next_sample(needs, Wires(needs.size()), shape, text, {}, columns(tokens, 0, check.first))};
  pair.tokens = {{}};
  ++pair.revision;
  for (std::int64_t i = check.first; i < check.elements; i += length)
    pair.tokens.front().push_back(columns(tokens, i, i + length));
  pair.generates = true;
  pair.steps = pair.tokens.front().size() + 1;
  check.length = length;
  check.pieces = run_reference(pair);
}

/// Programs of torch.export that were made with an example of several elements refuse one.
void run_any_pieces(ComparedPair& pair, SelfCheck& check) {
  const Sample text = pair.samples.front();
  const SampleShape shape = pair.shapes.front();
  std::optional<Error> first;
  for (const std::int64_t length : {1, 2}) {
    check.first -= (check.elements - check.first) % length;
    pair.shapes.front() = shape;
    try {
      run_pieces(pair, text, length, check);
      if (first)
        check.note = "it does not take one element after a past: " + std::string(first->what());
      return;
    } catch (const Error& error) {
      if (!first) first = error;
    }
  }
  throw *first;
}

/// Leaves, of both runs, what stands for the same elements.
void keep_what_corresponds(const RunResults& whole, const Scene& scene, SelfCheck& check) {
  check.whole.steps = check.pieces.steps;
  for (std::size_t call = 0; call < check.pieces.samples.size(); ++call) {
    const auto end = check.first + static_cast<std::int64_t>(call) * check.length;
    const Piece piece{call == 0 ? 0 : end - check.length, end};
    NamedTensors outputs, kept;
    const NamedTensors& got = check.pieces.samples[call];
    for (std::size_t o = 0; o < got.size() && o < whole.samples.front().size(); ++o) {
      const NamedTensor& of_whole = whole.samples.front()[o];
      auto part = expected(of_whole.tensor, got[o].tensor, piece, scene);
      if (!part) continue;
      outputs.push_back({of_whole.name, std::move(*part)});
      kept.push_back(got[o]);
    }
    check.whole.samples.push_back(std::move(outputs));
    check.pieces.samples[call] = std::move(kept);
  }
}

} // namespace

bool is_self_check(const VerifyRequest& request) {
  return request.candidate.empty() && request.backend.empty() && request.command.empty() &&
         request.golden.empty() && request.save_golden.empty() && request.steps.value_or(1) > 1;
}

SelfCheck run_in_pieces(ComparedPair& pair) {
  const auto& needs = pair.reference.needs;
  if (!takes_caches(needs) || !token_input(needs))
    throw Error(ErrorKind::usage, pair.request.reference.string(),
                "the model takes no caches beside tokens, so it cannot be compared with itself",
                "give a candidate file, `--backend` or `--command`");
  constexpr std::int64_t prompt = 4;
  SelfCheck check;
  check.elements = prompt + static_cast<std::int64_t>(*pair.request.steps) - 1; // it is a step, too
  check.first = prompt;
  const RunResults whole = run_whole(pair, check.elements);
  const Scene scene = pair.shapes.front().scene;
  run_any_pieces(pair, check);
  keep_what_corresponds(whole, scene, check);
  return check;
}

} // namespace model_validator::verify
