#pragma once

#include "connected_graph/graph_form.h"
#include "rules/judging/judge.h"

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace model_validator::rules {

/// Who takes files of a form, by the answers of ONNX Runtime, OpenVINO and TensorRT.
enum class FormStanding : std::uint8_t {
  valid,     ///< ONNX allows it, whatever some runtime makes of it
  forbidden, ///< ONNX Runtime, or ONNX itself, does not; others may take it
  nowhere,   ///< no runtime takes it
};
FormStanding standing_of(std::string_view kind);

/// Whether it means anything: that a function has another opset does where its operator changed.
/// @param versions  of the operator
bool matters(const GraphForm& form, const std::vector<OperatorVersion>& versions);

/// Whether a runtime takes files of a form, though they are not as ONNX defines them.
inline bool is_taken(const FormAnswer& answer) { return answer.reason.empty(); }

/// Whether a runtime looks at no node in such a place: NodePlaces.
bool passes_over(const FileRules& rules, const std::string& place);

/// What a target's table says against a form of a file.
struct RefusedForm {
  const GraphForm* form = nullptr; ///< lives as long as the graph
  Mishap mishap = Mishap::refused;
  std::string reason;
};
std::vector<RefusedForm> judge_forms(const TargetProfile& profile, const ConnectedGraph& graph);

} // namespace model_validator::rules
