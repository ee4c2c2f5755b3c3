#pragma once

#include <model_validator/verify/value.h>

#include <string>
#include <vector>

/// Short ways to write values in tests.
namespace values {

using model_validator::verify::Dict;
using model_validator::verify::DType;
using model_validator::verify::Sequence;
using model_validator::verify::Shape;
using model_validator::verify::Tensor;
using model_validator::verify::Value;

template <class T> Tensor tensor_of(DType dtype, const std::vector<T>& data, Shape shape = {-1}) {
  if (shape == Shape{-1}) shape = {static_cast<std::int64_t>(data.size())};
  return model_validator::verify::make_tensor(dtype, std::move(shape), data.data());
}
inline Value floats(const std::vector<float>& data, Shape shape = {-1}) {
  return {tensor_of(DType::float32, data, std::move(shape))};
}
inline Value doubles(const std::vector<double>& data) { return {tensor_of(DType::float64, data)}; }
inline Value integers(const std::vector<std::int64_t>& data) {
  return {tensor_of(DType::int64, data)};
}
inline Value booleans(const std::vector<std::uint8_t>& data) {
  return {tensor_of(DType::bool_, data)};
}
inline Value list(std::vector<Value> items) { return {Sequence{std::move(items), {}}}; }
inline Value dict(std::vector<std::pair<std::string, Value>> items) {
  return {Dict{std::move(items)}};
}
inline Value text(const char* words) { return {std::string(words)}; }

} // namespace values
