#include "lint/lacking.h"

#include "connected_graph/exporter.h"
#include "connected_graph/quantised_role.h"

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

/// torchao's exported weights are taken out of a tensor of its own.
constexpr std::string_view unpacking = "access_subclass_inner_tensor";

bool is_stored_in_few_bits(const Op& op) {
  const QuantisedRole role = quantised_role(op).role;
  return op.type == unpacking ||
         (role != QuantisedRole::other && role != QuantisedRole::fake_quantise);
}

} // namespace

bool has_been_quantised(const ConnectedGraph& graph) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (is_stored_in_few_bits(graph.op(id))) return true;
  return false;
}

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
