#include "script.h"
#include "verify/run/run_state.h"

#include <ATen/Functions.h>
#include <catch2/catch.hpp>

using namespace model_validator::verify;

namespace {

torch::jit::Module module_of(std::vector<std::pair<std::string, at::Tensor>> buffers) {
  torch::jit::Module module("__torch__.Net");
  for (auto& [name, tensor] : buffers) module.register_buffer(name, tensor);
  return module;
}

} // namespace

TEST_CASE("a module has its own state again after a run") {
  const auto original = at::zeros({2});
  auto module = module_of({{"calls", original}});
  {
    const RunState state(module, TensorCopies());
    module.attr("calls").toTensor().add_(1);
    CHECK(original.equal(at::zeros({2})));
    module.setattr("calls", at::ones({5}));
  }
  CHECK(module.attr("calls").toTensor().is_same(original));
}

TEST_CASE("views of the same memory are views of the same copy") {
  const auto whole = at::zeros({4, 3});
  auto module = module_of({{"whole", whole}, {"column", whole.select(1, 2)}, {"again", whole}});
  const RunState state(module, TensorCopies());
  module.attr("column").toTensor().fill_(1);
  const auto copy = module.attr("whole").toTensor();
  CHECK(copy.is_same(module.attr("again").toTensor()));
  CHECK(copy.select(1, 2).equal(at::ones({4})));
  CHECK(copy.strides() == whole.strides());
  CHECK(whole.equal(at::zeros({4, 3})));
}

TEST_CASE("an expanded tensor costs no more memory than it has") {
  const auto expanded = at::zeros({1}).expand({1 << 20, 1 << 20});
  const auto copy = TensorCopies()(expanded);
  CHECK(copy.sizes() == expanded.sizes());
  CHECK(copy.storage().nbytes() == 4);
}

TEST_CASE("a list that holds itself is copied as one") {
  c10::impl::GenericList list(c10::AnyType::get());
  list.push_back(c10::IValue(list));
  list.push_back(at::zeros({1}));
  torch::jit::Module module("__torch__.Net");
  module.register_attribute("list", c10::AnyType::get(), c10::IValue(list));
  {
    const RunState state(module, TensorCopies());
    const auto copy = module.attr("list").toListRef();
    CHECK(copy[0].toListRef()[1].is(copy[1]));
    CHECK_FALSE(copy[1].is(list.get(1)));
  }
  list.clear(); // or it would hold itself for ever
}

TEST_CASE("quantized tensors and tensors without bytes are copied") {
  const auto quantized = at::quantize_per_tensor(at::ones({2, 2}), 0.5, 1, at::kQInt8);
  const auto copy = TensorCopies()(quantized);
  CHECK(copy.dequantize().equal(at::ones({2, 2})));
  CHECK(copy.data_ptr() != quantized.data_ptr());
  const auto meta = at::empty({2}, at::TensorOptions().device(at::kMeta));
  CHECK(TensorCopies()(meta).is_meta());
  CHECK(TensorCopies()(at::ones({2, 2}).to_sparse()).to_dense().equal(at::ones({2, 2})));
}
