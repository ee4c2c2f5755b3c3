#include "text/separators.h"
#include "validators/checks.h"

#include <string>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "stored-bytes",
                        .code = "SER006",
                        .summary = "stored bytes that are not what the tensors of a file say",
                        .about_code = false,
                        .decides_verdicts = true};

std::string bytes_text(std::uint64_t bytes) {
  return with_separators(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string message_of(const ByteFault& fault) {
  const std::string place = "`" + fault.tensor + "` in `" + fault.file + "` ";
  if (fault.kind == ByteFault::Kind::overlap)
    return place + "shares " + bytes_text(fault.named) + " with `" + fault.other +
           "`, which begins elsewhere";
  return place + "is given " + bytes_text(fault.named) + ", and its dimensions need " +
         with_separators(fault.needed);
}

Diagnostic finding_of(const ByteFault& fault, const Diagnostics& diagnostics) {
  Diagnostic finding = diagnostics.start(message_of(fault));
  if (fault.kind == ByteFault::Kind::overlap) {
    finding.notes.emplace_back(
        "runtimes load such a file, and compute with numbers of another tensor");
  } else {
    finding.severity = Severity::error;
    finding.refused_by = {every_target};
    finding.notes.emplace_back("ONNX Runtime, OpenVINO and TensorRT refuse such a file");
  }
  return finding;
}

/// What the files of data that a model names hold, against what its tensors say of them.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  if (graph.origin.format != FileFormat::onnx || !context.ledger) return;
  const WeightLedger ledger = context.ledger();
  for (const ByteFault& fault : ledger.faults)
    diagnostics.add(finding_of(fault, diagnostics),
                    "save the model again into a folder of its own, with its data");
  for (const DataFile& file : ledger.files)
    if (file.unread > 0)
      diagnostics.add(
          diagnostics.start("the model takes " + bytes_text(file.bytes - file.unread) + " of `" +
                            file.name + "`, which has " + with_separators(file.bytes)),
          "save the model again into a folder of its own: saving into a file of data that "
          "is there appends to it, or takes over what another model left");
}

} // namespace

const Check checks::stored_bytes(rule, run);

} // namespace model_validator
