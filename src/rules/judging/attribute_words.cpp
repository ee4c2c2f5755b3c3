#include "rules/judging/attribute_words.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace model_validator::rules {
namespace {

struct Row {
  std::string_view operator_name;
  std::string_view attribute;
  int since; ///< the version of the operator
  AttributeWords words;
};

constexpr std::string_view paddings = "NOTSET SAME_UPPER SAME_LOWER VALID";
constexpr std::string_view directions = "forward reverse bidirectional";
constexpr std::string_view activations =
    "Affine Relu LeakyRelu ThresholdedRelu Tanh ScaledTanh Sigmoid HardSigmoid Elu Softsign "
    "Softplus";

/// ONNX states these in prose. Left out are those of which ONNX Runtime 1.31 takes any word, as the
/// `reduction` of `ScatterND`.
constexpr Row rows[] = {
    {"AveragePool", "auto_pad", 1, {paddings}},
    {"BitShift", "direction", 11, {"LEFT RIGHT"}},
    {"Conv", "auto_pad", 1, {paddings}},
    {"ConvInteger", "auto_pad", 10, {paddings}},
    {"ConvTranspose", "auto_pad", 1, {paddings}},
    {"DepthToSpace", "mode", 11, {"DCR CRD"}},
    {"GRU", "activations", 1, {activations, false, true}},
    {"GRU", "direction", 1, {directions}},
    {"Gelu", "approximate", 20, {"none tanh"}},
    {"GridSample", "mode", 16, {"bilinear nearest bicubic"}},
    {"GridSample", "mode", 20, {"linear nearest cubic"}},
    {"GridSample", "padding_mode", 16, {"zeros border reflection"}},
    {"LSTM", "activations", 1, {activations, false, true}},
    {"LSTM", "direction", 1, {directions}},
    {"LpPool", "auto_pad", 1, {paddings}},
    {"MaxPool", "auto_pad", 1, {paddings}},
    {"Pad", "mode", 1, {"constant reflect edge wrap"}},
    {"QLinearConv", "auto_pad", 10, {paddings}},
    {"RNN", "activations", 1, {activations}},
    {"RNN", "direction", 1, {directions}},
    {"Resize",
     "coordinate_transformation_mode",
     11,
     {"half_pixel half_pixel_symmetric pytorch_half_pixel align_corners asymmetric "
      "tf_half_pixel_for_nn tf_crop_and_resize"}},
    {"Resize", "keep_aspect_ratio_policy", 18, {"stretch not_larger not_smaller", true}},
    {"Resize", "mode", 10, {"nearest linear cubic"}},
    {"Resize",
     "nearest_mode",
     11,
     {"round_prefer_floor round_prefer_ceil floor ceil simple", true}},
    {"TensorScatter", "mode", 24, {"linear circular"}},
    {"Upsample", "mode", 1, {"nearest linear bilinear cubic"}},
};

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

} // namespace

bool AttributeWords::allow(std::string_view word) const {
  return in_any_case ? allow_in_any_case(word) : contains(words_in(words), word);
}

bool AttributeWords::allow_in_any_case(std::string_view word) const {
  return std::ranges::any_of(words_in(words),
                             [word](std::string_view each) { return same_letters(each, word); });
}

AttributeWords words_of(std::string_view operator_name, std::string_view attribute,
                        const OperatorVersion& version) {
  AttributeWords words;
  for (const Row& row : rows)
    if (row.operator_name == operator_name && row.attribute == attribute &&
        row.since <= version.since)
      words = row.words;
  return words;
}

} // namespace model_validator::rules
