#include <model_validator/verify/tensor_view.h>

#include <catch2/catch.hpp>

#include <set>

using namespace model_validator::verify;

TEST_CASE("dtypes are read by the names they are written with") {
  for (int i = 0; i <= static_cast<int>(DType::complex128); ++i) {
    const auto dtype = static_cast<DType>(i);
    CHECK(parse_dtype(to_string(dtype)) == dtype);
  }
  CHECK_FALSE(parse_dtype("float33").has_value());
  CHECK_FALSE(parse_dtype("int4").has_value()); // no arrays of it are compared
}

TEST_CASE("a dtype has its place in the table, and each format its own number") {
  using namespace model_validator;
  std::set<int> torch, exported, onnx;
  for (std::size_t i = 0; i < dtype_table.size(); ++i) {
    const DTypeFacts& facts = dtype_table[i];
    CHECK(static_cast<std::size_t>(facts.dtype) == i);
    CHECK(dtype_named(facts.name) == facts.dtype);
    CHECK((facts.torch < 0 || torch.insert(facts.torch).second));
    CHECK((facts.exported < 0 || exported.insert(facts.exported).second));
    CHECK((facts.onnx < 0 || onnx.insert(facts.onnx).second));
  }
  CHECK(dtype_numbered(&DTypeFacts::onnx, 22) == DType::int4);
  CHECK_FALSE(dtype_numbered(&DTypeFacts::onnx, -1).has_value());
  CHECK(dtype_of_storage("torch.BFloat16Storage") == DType::bfloat16);
  for (const char* none : {"", "torch.Storage", "Float", "torch.FloatTensor"})
    CHECK_FALSE(dtype_of_storage(none).has_value());
}

TEST_CASE("a contiguous view counts its elements") {
  const TensorView view = contiguous_view(nullptr, DType::int8, {2, 3, 4});
  CHECK(view.strides == std::vector<std::int64_t>{12, 4, 1});
  CHECK(element_count(view) == 24);
  CHECK(element_count(contiguous_view(nullptr, DType::int8, {})) == 1);
  CHECK(element_count(contiguous_view(nullptr, DType::int8, {0, 5})) == 0);
}

TEST_CASE("a made tensor owns a copy") {
  Tensor tensor;
  {
    const float values[] = {1, 2};
    tensor = make_tensor(DType::float32, {2}, values);
  }
  CHECK(static_cast<const float*>(tensor.view.data)[1] == 2);
}
