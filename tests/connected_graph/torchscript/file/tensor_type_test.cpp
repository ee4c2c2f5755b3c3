#include "connected_graph/torchscript/file/tensor_type.h"

#include <model_validator/data/dtype.h>

#include <c10/core/ScalarType.h>
#include <catch2/catch.hpp>
#include <torch/torch.h>

using namespace model_validator;
using torchscript::bytes_of;

TEST_CASE("dtypes have LibTorch's numbers, names and sizes") {
  for (const DTypeFacts& facts : dtype_table) {
    if (facts.torch < 0) continue;
    const auto type = static_cast<c10::ScalarType>(facts.torch);
    CHECK(torchscript::dtype_name(type) == facts.name);
    if (facts.storage.empty()) continue;
    CHECK(std::string(c10::toString(type)) == facts.storage);
    if (facts.kind != DTypeKind::quantized) CHECK(c10::elementSize(type) * 8 == facts.bits);
  }
}

TEST_CASE("a tensor of any layout has a size") {
  CHECK(bytes_of({}) == 0);
  CHECK(bytes_of(at::zeros({2, 3})) == 24);
  CHECK(bytes_of(at::zeros({0, 3})) == 0);
  CHECK(bytes_of(at::eye(3).to_sparse()) == 3 * 4 + 2 * 3 * 8);
  CHECK(bytes_of(at::eye(3).to_sparse_csr()) == 3 * 4 + 4 * 8 + 3 * 8);
}
