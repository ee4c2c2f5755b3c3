#include "connected_graph/exporter.h"

#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

namespace model_validator {
namespace {

/// How the producers of ONNX files begin, in small letters.
constexpr std::array<std::pair<std::string_view, Exporter>, 9> producers{
    {{"pytorch", Exporter::torch},
     {"tf2onnx", Exporter::tensorflow},
     {"keras2onnx", Exporter::tensorflow},
     {"tensorflow", Exporter::tensorflow},
     {"paddle", Exporter::paddle},
     {"skl2onnx", Exporter::scikit_learn},
     {"onnxmltools", Exporter::scikit_learn},
     {"onnxconverter", Exporter::scikit_learn},
     {"hummingbird", Exporter::scikit_learn}}};

} // namespace

Exporter exporter_of(const GraphOrigin& origin) {
  if (origin.format != FileFormat::onnx) return Exporter::torch;
  std::string name = origin.producer;
  for (char& letter : name)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  for (const auto& [begin, exporter] : producers)
    if (name.starts_with(begin)) return exporter;
  return Exporter::other;
}

bool is_of_torch(const GraphOrigin& origin) { return exporter_of(origin) == Exporter::torch; }

} // namespace model_validator
