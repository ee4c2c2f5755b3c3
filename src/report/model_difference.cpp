#include "report/model_difference.h"

#include "files/json_text.h"
#include "text/escape.h"

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
    return;
  case ModelDifference::Verdict::different_structure:
    out << "different structure: " << escape(difference.what) << "\n";
    write_place(out, difference.first_path, difference.first);
    write_place(out, difference.second_path, difference.second);
  }
}

void write_difference_json(std::ostream& out, const ModelDifference& difference) {
  Json json;
  json["schema"] = "model_validator-diff/1";
  json["first"] = difference.first_path;
  json["second"] = difference.second_path;
  json["verdict"] = to_string(difference.verdict);
  json["tensors"] = difference.weights;
  json["changed_tensors"] = difference.changed_weights;
  json["difference"] = difference.what.empty() ? Json() : Json(difference.what);
  json["first_place"] = json_of(difference.first);
  json["second_place"] = json_of(difference.second);
  out << json_text(json, 2) << "\n";
}

} // namespace model_validator
