#include "connected_graph/onnx/quantised_operands.h"

#include <map>
#include <string_view>

namespace model_validator::onnx_format {
namespace {

using Places = std::vector<OperandPlaces>;
constexpr int its_result = OperandPlaces::result;

const Places* places_of(std::string_view type) {
  static const Places two_and_result{{0, 1, 2}, {3, 4, 5}, {its_result, 6, 7}};
  static const Places one_and_result{{0, 1, 2}, {its_result, 3, 4}};
  static const std::map<std::string_view, Places> known{
      {"QuantizeLinear", {{its_result, 1, 2}}},
      {"DequantizeLinear", {{0, 1, 2}}},
      {"QLinearConv", two_and_result},
      {"QLinearMatMul", two_and_result},
      {"QLinearAdd", two_and_result},
      {"QLinearMul", two_and_result},
      {"QLinearSigmoid", one_and_result},
      {"QLinearLeakyRelu", one_and_result},
      {"QLinearSoftmax", one_and_result},
      {"QLinearAveragePool", one_and_result},
      {"QLinearGlobalAveragePool", one_and_result},
      {"QLinearReduceMean", one_and_result},
      {"QLinearWhere", {{1, 2, 3}, {4, 5, 6}, {its_result, 7, 8}}},
      {"QGemm", {{0, 1, 2}, {3, 4, 5}, {its_result, 7, 8}}},
      {"MatMulInteger", {{0, -1, 2}, {1, -1, 3}}},
      {"ConvInteger", {{0, -1, 2}, {1, -1, 3}}},
      {"MatMulIntegerToFloat", {{0, 2, 4}, {1, 3, 5}}},
      {"DynamicQuantizeMatMul", {{1, 2, 3}}},
      {"QAttention", {{0, 3, 6}, {1, 4, 7}}}};
  const auto found = known.find(type);
  return found == known.end() ? nullptr : &found->second;
}

/// Scale and zero point of the result, then a triple for each input.
Places places_of_concat(const ::onnx::NodeProto& node) {
  Places places{{its_result, 0, 1}};
  for (int i = 2; i + 2 < node.input_size(); i += 3) places.push_back({i, i + 1, i + 2});
  return places;
}

} // namespace

std::vector<OperandPlaces> quantised_operands(const ::onnx::NodeProto& node) {
  if (node.op_type() == "QLinearConcat") return places_of_concat(node);
  const Places* places = places_of(node.op_type());
  return places == nullptr ? Places{} : *places;
}

} // namespace model_validator::onnx_format
