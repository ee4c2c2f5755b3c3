#include "report/model_difference.h"

#include "files/json_text.h"
#include "text/escape.h"
#include "text/lists.h"

#include <ostream>

namespace model_validator {
namespace {

void write_place(std::ostream& out, const std::string& path, const ModelDifference::Place& place) {
  out << "  --> " << escape(path) << ": ";
  if (place.op.empty()) {
    out << "no op\n";
    return;
  }
  out << "op `" << escape(place.op) << "` in "
      << (place.module.empty() ? "the model itself" : "module `" + escape(place.module) + "`")
      << "\n"
      << "      " << escape(place.text) << "\n";
}

/// Without a shape where the listing has none, as that of ONNX.
std::string type_of(const ChangedWeights& weights) {
  if (weights.shape.empty()) return weights.dtype;
  std::vector<std::string> sizes;
  for (const std::uint64_t size : weights.shape) sizes.push_back(std::to_string(size));
  return weights.dtype + "[" + joined(sizes, ", ") + "]";
}

/// A screenful, the most changed first.
void write_changed(std::ostream& out, const ModelDifference& difference) {
  constexpr std::size_t max_listed = 20;
  std::size_t listed = 0;
  for (const ChangedWeights& weights : difference.changed) {
    if (!weights.difference || listed == max_listed) break;
    out << "  " << escape(weights.name) << "  " << type_of(weights) << "  differs by "
        << *weights.difference << " at most, its greatest value is " << weights.greatest << "\n";
    ++listed;
  }
  if (const std::size_t others = difference.changed_weights - listed; listed > 0 && others > 0)
    out << "  … and " << others << " more\n";
}

Json json_of(const ChangedWeights& weights) {
  Json difference;
  if (weights.difference) difference = *weights.difference;
  return {{"name", weights.name},
          {"dtype", weights.dtype},
          {"shape", weights.shape},
          {"difference", difference},
          {"greatest", weights.greatest}};
}

Json json_of(const ModelDifference::Place& place) {
  if (place.op.empty()) return {};
  Json source;
  if (place.source.known()) source = {{"file", place.source.file}, {"line", place.source.line}};
  return {{"op", place.op}, {"module", place.module}, {"source", source}, {"text", place.text}};
}

} // namespace

void write_difference_text(std::ostream& out, const ModelDifference& difference) {
  switch (difference.verdict) {
  case ModelDifference::Verdict::same_fingerprint:
    out << "same fingerprint: structure and all " << difference.weights << " tensors are equal\n";
    return;
  case ModelDifference::Verdict::same_structure:
    out << "same structure, other weights: " << difference.changed_weights << " of "
        << difference.weights << " tensors differ\n";
    write_changed(out, difference);
    return;
  case ModelDifference::Verdict::different_structure:
    out << "different structure: " << escape(difference.what) << "\n";
    write_place(out, difference.first_path, difference.first);
    write_place(out, difference.second_path, difference.second);
    if (!difference.same_format)
      out << "  = help: exporters of different formats write the same model in different "
             "operators; "
             "`model_validator verify` compares what two models compute\n";
  }
}

void write_difference_json(std::ostream& out, const ModelDifference& difference) {
  const Json json{
      {"schema", "model_validator-diff/1"},
      {"first", difference.first_path},
      {"second", difference.second_path},
      {"verdict", to_string(difference.verdict)},
      {"tensors", difference.weights},
      {"changed_tensors", difference.changed_weights},
      {"changed", json_array(difference.changed,
                             [](const ChangedWeights& weights) { return json_of(weights); })},
      {"difference", text_or_null(difference.what)},
      {"first_place", json_of(difference.first)},
      {"second_place", json_of(difference.second)}};
  out << json_text(json, 2) << "\n";
}

} // namespace model_validator
