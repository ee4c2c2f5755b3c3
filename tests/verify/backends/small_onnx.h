#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::testing {

/// An ONNX model of a few nodes, to be written to a file.
struct SmallOnnx {
  struct Tensor {
    std::string name;
    std::vector<std::int64_t> shape; ///< of an input: -1 where it is free
    std::vector<float> values;       ///< of a weight
    int type = 1;                    ///< of an input, as ONNX numbers it
  };
  struct Node {
    std::string op;
    std::vector<std::string> inputs;
    std::string output;
  };
  std::vector<Tensor> inputs;
  std::vector<Tensor> weights;
  std::vector<Node> nodes;
  std::vector<std::string> outputs;
};

/// float32 but for inputs that say otherwise, opset 17.
void write_onnx(const std::filesystem::path& file, const SmallOnnx& model);

} // namespace model_validator::testing
