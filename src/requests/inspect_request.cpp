#include "requests/inspect_request.h"

#include "report/model_summary.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

namespace model_validator {
namespace {

/// Sizes alone need no run where the file's operators say what they make of them.
bool gives_sizes(const std::filesystem::path& file, const TraceOptions& trace) {
  return trace.inputs.specs.empty() && trace.inputs.files.empty() && !trace.values &&
         recognise(file) == FileFormat::onnx;
}

Model open_model(const std::filesystem::path& file, const InspectRequest& request) {
  if (request.trace && gives_sizes(file, *request.trace)) {
    Model model(file, request.read);
    model.give_sizes(request.trace->inputs.sizes);
    return model;
  }
  return request.trace ? Model(file, *request.trace, request.read) : Model(file, request.read);
}

/// None where they are missing, which a fingerprint says.
std::vector<DataFile> data_files(const Model& model) {
  try {
    return model.ledger().files;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::missing_weights && error.kind() != ErrorKind::truncated_file)
      throw;
    return {};
  }
}

ModelSummary summarise(const Model& model, bool with_fingerprint, Findings& found) {
  ModelSummary summary{model, {}, {}, data_files(model)};
  if (!with_fingerprint) return summary;
  try {
    summary.fingerprint = model.fingerprint();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::missing_weights) throw;
    summary.why_no_fingerprint = error.what();
    found.warnings.push_back(
        {"the fingerprint is unknown: " + summary.why_no_fingerprint,
         error.hint() + ", or leave the fingerprint out with `--no-fingerprint`"});
  }
  return summary;
}

} // namespace

void describe_model(const std::filesystem::path& file, const InspectRequest& request,
                    Findings& found) {
  const Model model = open_model(file, request);
  if (request.format == "typed-ir")
    found.output << model.typed_ir();
  else if (request.format == "ir")
    found.output << model.ir();
  else if (request.format == "json")
    write_summary_json(found.output, summarise(model, request.fingerprint, found));
  else
    write_summary_text(found.output, summarise(model, request.fingerprint, found));
  if (!model.trace()) return;
  if (const auto warning = early_end(model.graph(), *model.trace()))
    found.warnings.push_back(*warning);
}

} // namespace model_validator
