#include "lint/lacking.h"

#include "connected_graph/exporter.h"

namespace model_validator {
namespace {

constexpr const char* modules_lack = "the file does not say which modules the model is made of";

/// torch.export refuses a branch on values, or keeps both sides. A trace keeps the side that its
/// inputs took, and so does what torch's older exporter makes of one: it writes no modules. A file
/// of others is the model itself.
bool lost_branches(const GraphOrigin& origin) {
  if (origin.format == FileFormat::torchscript) return origin.traced;
  return origin.format == FileFormat::onnx && is_of_torch(origin) && !origin.has_modules;
}

} // namespace

std::string what_lacks(Need need, const GraphOrigin& origin, const Context& context) {
  switch (need) {
  case Need::nothing: return {};
  case Need::modules: return origin.has_modules ? "" : modules_lack;
  case Need::all_modules:
    if (!origin.has_modules) return modules_lack;
    return origin.format == FileFormat::onnx ? "an ONNX file names only modules that compute" : "";
  case Need::branches:
    return lost_branches(origin) && context.decisions == nullptr
               ? "a trace holds only the branches that its own inputs took"
               : "";
  case Need::weights: return context.scan_weights ? "" : "the model was not read from a file";
  }
  return {};
}

} // namespace model_validator
