#pragma once

#include <model_validator/data/words.h>

// Made by tools/rules/forms_profile.py from the answers of the runtimes.

namespace model_validator::rules {

/// Kinds of forms that neither ONNX Runtime nor OpenVINO nor TensorRT takes.
inline constexpr auto taken_nowhere = word_array<
    "body-input-twice body-missing bytes-dtype bytes-long bytes-short function-missing "
    "function-order function-outputs function-result function-results-left if-arm "
    "if-dtype-apart if-empty if-inputs if-kind if-results-more input-twice input-typeless "
    "loop-body-inputs loop-body-outputs loop-condition loop-kind loop-outputs-more "
    "loop-trips-size map-body-inputs-more map-body-outputs-more scan-axis scan-body-inputs "
    "scan-given-dtype-apart scan-inputs scan-lengths scan-size sparse-index">;

/// Further ones that ONNX forbids, and ONNX Runtime does not take.
inline constexpr auto forbidden = word_array<
    "arm-yields-outer body-order body-yields-outer bytes-field bytes-none function-domain "
    "function-import function-opset function-passes if-condition if-condition-size if-count "
    "if-dtype if-known-dtype if-known-kind import-none import-none-named "
    "initializer-input-type loop-body-dtype loop-body-inputs-more loop-condition-rank "
    "loop-dtype loop-dtype-apart loop-given-dtype loop-given-dtype-apart loop-given-kind "
    "loop-outputs loop-trips name-hidden node-twice opset-zero output-undefined "
    "scan-body-inputs-more scan-body-outputs scan-body-outputs-more scan-dtype "
    "scan-element-rank scan-element-size scan-given-dtype scan-list scan-nothing scan-rank "
    "scan-slice-dtype scan-slice-dtype-apart">;

} // namespace model_validator::rules
