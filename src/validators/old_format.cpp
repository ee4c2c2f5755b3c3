#include "connected_graph/exporter.h"
#include "validators/checks.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "old-format",
                        .code = "SER002",
                        .summary = "the file has a format whose operators meant something else",
                        .severity = Severity::info,
                        .about_code = false};

/// Division and `torch.full` have another meaning before this version of TorchScript's format.
constexpr int first_torchscript = 3;
/// The opset from which today's converters and runtimes still take every operator.
constexpr int first_opset = 11;

/// The number in `pytorch, file format 3`; nothing where the producer names none.
std::optional<int> torchscript_format(const GraphOrigin& origin) {
  constexpr std::string_view words = "file format ";
  const auto at = origin.producer.find(words);
  if (origin.format != FileFormat::torchscript || at == std::string::npos) return std::nullopt;
  int format = 0;
  const char* end = origin.producer.data() + origin.producer.size();
  const char* start = origin.producer.data() + at + words.size();
  return std::from_chars(start, end, format).ec == std::errc() ? std::optional(format)
                                                               : std::nullopt;
}

/// How to have the same model in a newer opset, in the words of what wrote the file.
std::string newer_opset(Exporter exporter, int first) {
  const std::string opset = std::to_string(first);
  const std::string convert =
      "convert the file, `onnx.version_converter.convert_version(model, " + opset + ")`";
  switch (exporter) {
  case Exporter::torch:
    return "export it again with `opset_version=" + opset + "` or more, or " + convert;
  case Exporter::tensorflow: return "convert it again with `--opset " + opset + "` or more";
  case Exporter::paddle: return "convert it again with `--opset_version " + opset + "` or more";
  case Exporter::scikit_learn:
  case Exporter::other: break;
  }
  return convert;
}

Diagnostic old(const Diagnostics& diagnostics, const std::string& what, int version, int first,
               std::string help) {
  Diagnostic finding = diagnostics.start("the file has " + what + ' ' + std::to_string(version) +
                                         ", older than " + std::to_string(first));
  finding.notes.emplace_back("readers translate its operators to today's");
  finding.help = std::move(help);
  return finding;
}

/// Files of a format that newer programs translate when they read it.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  const GraphOrigin& origin = graph.origin;
  if (const auto format = torchscript_format(origin); format && *format < first_torchscript)
    diagnostics.add(old(diagnostics, "TorchScript format", *format, first_torchscript,
                        "export the model again with a current version"));
  // Converters of scikit-learn's stamp the oldest opset that has the operators as they are today.
  const Exporter exporter = exporter_of(origin);
  if (origin.format == FileFormat::onnx && exporter != Exporter::scikit_learn && origin.opset &&
      *origin.opset < first_opset)
    diagnostics.add(
        old(diagnostics, "opset", *origin.opset, first_opset, newer_opset(exporter, first_opset)));
}

} // namespace

const Check checks::old_format(rule, run);

} // namespace model_validator
