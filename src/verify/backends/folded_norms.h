#pragma once

#include <map>
#include <onnx-ml.pb.h>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What compilers multiply into the rows of a convolution's weight, by the weight's name: the
/// scales of the stored normalisation that alone reads its result, a number for each row. Rounding
/// with one scale for all rows rounds the products.
std::map<std::string, std::vector<float>> folded_norms(const onnx::GraphProto& graph);

} // namespace model_validator::verify
