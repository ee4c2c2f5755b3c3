#include "lint/target_formats.h"

#include "rules/judging/judge.h"

#include <model_validator/connected_graph.h>

namespace model_validator {

bool reads_format(const TargetProfile& target, FileFormat format) {
  if (format == FileFormat::unknown || format == FileFormat::aot_package) return false;
  ConnectedGraph graph;
  graph.origin.format = format;
  graph.origin.has_modules = format != FileFormat::onnx; // it may record none
  return rules::knows_format(rules::table_for(target, graph), graph);
}

} // namespace model_validator
