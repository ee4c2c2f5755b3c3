#pragma once

#include <model_validator/model.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// What a model is, for `inspect`.
struct ModelSummary {
  const Model& model;
  std::optional<std::string> fingerprint; ///< nothing where it was not asked for
  std::string why_no_fingerprint;         ///< what kept the weights from being read
  std::vector<DataFile> data_files;       ///< of an ONNX model, besides its own
};

/// As a table for people.
void write_summary_text(std::ostream& out, const ModelSummary& summary);
/// As one JSON object, `model_validator-inspect/1`.
void write_summary_json(std::ostream& out, const ModelSummary& summary);

} // namespace model_validator
