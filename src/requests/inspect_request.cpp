#include "report/model_summary.h"
#include "requests/model_request.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

namespace model_validator {
namespace {

/// Sizes alone need no run where the file's operators say what they make of them.
bool gives_sizes(const std::filesystem::path& file, const TraceOptions& trace) {
  return trace.inputs.specs.empty() && trace.inputs.files.empty() && !trace.values &&
         recognise(file) == FileFormat::onnx;
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

/// What a model is, as text.
class InspectRequest final : public TracingRequest {
public:
  void describe(OptionVisitor& visitor, Asked asked) override {
    if (asked == Asked::by_call) {
      visitor.option({"fingerprint", "", ""}, fingerprint_);
    } else {
      visitor.option({"ir", "", "print the model as text instead, one op per line"}, ir_);
      visitor.option({"typed-ir", "", "the same with dtypes and shapes"}, typed_ir_);
      visitor.option(
          {"ranges", "", "the same with how large the numbers of each op are likely to be"},
          ranges_);
      visitor.option({"no-fingerprint", "", "do not read the weights"}, no_fingerprint_);
    }
    TracingRequest::describe(visitor, asked);
  }

  void prepare() override {
    TracingRequest::prepare();
    if (ir_) format = "ir";
    if (typed_ir_) format = "typed-ir";
    if (ranges_) format = "ranges";
    fingerprint_ = fingerprint_ && !no_fingerprint_;
  }

  std::string takes_long() const override {
    return fingerprint_ ? "reading the weights for the fingerprint (--no-fingerprint leaves it out)"
                        : "";
  }

  void run(Findings& found) const override {
    const Model model = open();
    if (format == "typed-ir")
      found.output << model.typed_ir();
    else if (format == "ranges")
      found.output << model.ranges();
    else if (format == "ir")
      found.output << model.ir();
    else if (format == "json")
      write_summary_json(found.output, summarise(model, fingerprint_, found));
    else
      write_summary_text(found.output, summarise(model, fingerprint_, found));
    if (!model.trace()) return;
    if (const auto warning = early_end(model.graph(), *model.trace()))
      found.warnings.push_back(*warning);
  }

private:
  Model open() const {
    const std::filesystem::path& file = models.front().path;
    if (trace && gives_sizes(file, *trace)) {
      Model model(file, read);
      model.give_sizes(trace->inputs.sizes);
      return model;
    }
    return trace ? Model(file, *trace, read) : Model(file, read);
  }

  bool fingerprint_ = true; ///< reads the weights
  bool ir_ = false;
  bool typed_ir_ = false;
  bool ranges_ = false;
  bool no_fingerprint_ = false;
};

} // namespace

std::unique_ptr<ModelRequest> make_inspect_request() { return std::make_unique<InspectRequest>(); }

} // namespace model_validator
