#pragma once

#include <model_validator/verify/config.h>

#include <cmath>
#include <memory>
#include <vector>

/// Reports as a run would make them.
namespace sample {

using namespace model_validator::verify;

inline Value floats(const std::vector<float>& values, Shape shape) {
  return {make_tensor(DType::float32, std::move(shape), values.data())};
}

inline std::vector<float> wave(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = std::sin(static_cast<float>(i)) * 3;
  return values;
}

inline VerifyConfig config() {
  VerifyConfig result;
  result.value_checker = std::make_shared<DefaultValueChecker>();
  result.histogram = true;
  return result;
}

inline void name_sides(VerifyReport& report) {
  report.reference = "model.pt";
  report.candidate = "model.onnx";
  report.backend = "onnxruntime";
}

/// Two outputs that agree.
inline VerifyReport same_report() {
  const auto logits = wave(4000);
  auto near = logits;
  for (std::size_t i = 0; i < near.size(); i += 3) near[i] *= 1.0000004F;
  const std::vector<std::int64_t> labels{4, 7};
  const Value ids{make_tensor(DType::int64, {2}, labels.data())};
  const auto pair = [&](const std::vector<float>& values) {
    return Value{Dict{{{"logits", floats(values, {4, 1000})}, {"labels", ids}}}};
  };
  VerifyReport report = compare(pair(logits), pair(near), config());
  name_sides(report);
  return report;
}

inline std::vector<OpComparison> ops() {
  std::vector<OpComparison> result;
  for (int i = 0; i < 120; ++i) {
    OpComparison op{"conv2d_" + std::to_string(i),
                    "conv2d",
                    "layer" + std::to_string(i / 30),
                    "resnet.py:" + std::to_string(90 + i),
                    2e-7 * (1 + i % 7),
                    1e-4,
                    {},
                    false,
                    ""};
    if (i >= 70) op.error = 3e-2 * (1 + 0.3 * std::sin(i));
    if (i == 70) {
      op.first_divergent = true;
      op.introduced = 3.1e-2;
      op.candidate = "Conv node_Conv_70";
    }
    result.push_back(op);
  }
  return result;
}

/// Wrong values, a NaN, a shape, a missing output and an incident.
inline VerifyReport different_report() {
  const auto logits = wave(4000);
  auto wrong = logits;
  for (std::size_t i = 0; i < wrong.size(); ++i)
    wrong[i] *= 1 + 1e-6F * std::cos(static_cast<float>(i));
  wrong[1234] += 0.25F;
  wrong[77] = std::nanf("");
  const Value a{Dict{{{"logits", floats(logits, {4, 1000})},
                      {"<hidden>", floats({1, 2}, {1, 2})},
                      {"mask", floats({1}, {1})}}}};
  const Value b{Dict{{{"logits", floats(wrong, {4, 1000})}, {"<hidden>", floats({1, 2}, {2})}}}};
  VerifyReport report = compare(a, b, config());
  name_sides(report);
  report.incidents.push_back({IncidentKind::inputs_changed,
                              "the candidate wrote into its input `x`", "give it a copy", false});
  report.ops = ops();
  report.advice.push_back({"logits", "--rtol 8.4e-02", "the least that passes"});
  report.notes.push_back("the reference was run twice and is deterministic");
  return report;
}

/// A quantised copy that is the same: its layers, of which none keeps all of its signal.
inline VerifyReport quantised_report() {
  VerifyReport report = same_report();
  report.precision = "int8";
  for (int i = 0; i < 3; ++i) {
    OpComparison layer{"/conv" + std::to_string(i), "Conv", "", "", 0.01, 0, 0.01, false, ""};
    layer.introduced_sqnr = 25 + 10 * i;
    layer.sqnr = 24;
    layer.graph_op = "conv2d_" + std::to_string(i);
    report.ops.push_back(layer);
  }
  return report;
}

/// A graph with an op for each of these layers.
inline std::string quantised_graph() {
  std::string ops;
  for (int i = 0; i < 3; ++i) {
    const std::string name = "conv2d_" + std::to_string(i);
    ops += std::string(i > 0 ? "," : "") + R"({"name":")" + name +
           R"(","type":"conv2d","kind":"module","module":"bn)" + std::to_string(i) +
           R"(","module_class":"torch.nn.modules.batchnorm.BatchNorm2d","parent":"",)" +
           R"("parent_class":null,"schema":null,"region":[],"source":null})";
  }
  return R"({"schema":"model_validator-graph/1","path":"model.onnx","format":"onnx","ops":[)" +
         ops + R"(],"products":[],"inputs":[],"outputs":[],"modules":[]})";
}

} // namespace sample
