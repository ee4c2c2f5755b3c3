#include <model_validator/error.h>
#include <model_validator/verify/metrics.h>
#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

Metrics compared(const at::Tensor& a, const at::Tensor& b) {
  const Tensor x = to_tensor(a), y = to_tensor(b);
  return measure(x.view, y.view);
}

} // namespace

TEST_CASE("a dense tensor shares its memory") {
  const at::Tensor tensor = at::arange(6, at::kFloat).view({2, 3}).t();
  const Tensor plain = to_tensor(tensor);
  CHECK(plain.view.data == tensor.const_data_ptr());
  CHECK(plain.view.shape == Shape{3, 2});
  CHECK(plain.view.strides == std::vector<std::int64_t>{1, 3});
}

TEST_CASE("every dtype has the same values as its float64 copy") {
  at::manual_seed(3);
  const at::Tensor source = at::rand({4, 33}, at::kDouble) * 4 - 1;
  for (at::ScalarType type :
       {at::kBool, at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kUInt16, at::kUInt32,
        at::kUInt64, at::kHalf, at::kBFloat16, at::kFloat, at::kDouble, at::kFloat8_e4m3fn,
        at::kFloat8_e4m3fnuz, at::kFloat8_e5m2, at::kFloat8_e5m2fnuz}) {
    CAPTURE(c10::toString(type));
    const at::Tensor typed = source.abs().to(type);
    CHECK(compared(typed, typed.to(at::kDouble)).unequal == 0);
    CHECK(compared(typed.t(), typed.to(at::kDouble).t()).unequal == 0);
  }
}

TEST_CASE("conjugate, quantized and sparse tensors are read as what they mean") {
  const at::Tensor z = at::view_as_complex(at::rand({5, 2}));
  CHECK(compared(z.conj(), z.conj().resolve_conj()).unequal == 0);
  CHECK(compared(z.conj(), z).unequal == 5);
  const at::Tensor q = at::quantize_per_tensor(at::arange(4, at::kFloat), 0.5, 0, at::kQInt8);
  CHECK(compared(q, at::arange(4, at::kFloat)).unequal == 0);
  const at::Tensor dense = at::eye(3);
  CHECK(compared(dense.to_sparse(), dense).unequal == 0);
}

TEST_CASE("what has no values is refused with a sentence") {
  CHECK_THROWS_WITH(to_tensor(at::empty({2}, at::device(at::kMeta))),
                    "a meta tensor, which has no values, cannot be compared");
}

TEST_CASE("nested results keep their structure and names") {
  c10::impl::GenericDict dict(c10::StringType::get(), c10::AnyType::get());
  dict.insert("logits", at::ones({2}));
  dict.insert("past", c10::ivalue::Tuple::create({at::zeros({1}), c10::IValue(std::int64_t{7}),
                                                  c10::IValue(), c10::IValue("word")}));
  const std::vector<Leaf> leaves = flatten(to_value(dict));
  REQUIRE(leaves.size() == 4);
  CHECK(leaves[0].path == "logits");
  CHECK(leaves[2].path == "past.1");
  CHECK(leaves[3].path == "past.3");
}

TEST_CASE("lists of tensors and of numbers are sequences") {
  const Value value = to_value(c10::IValue(std::vector<at::Tensor>{at::ones({1}), at::ones({1})}));
  CHECK(std::get<Sequence>(value.data).items.size() == 2);
  const Value numbers = to_value(c10::IValue(std::vector<double>{1.5, 2.5}));
  CHECK(std::get<double>(std::get<Sequence>(numbers.data).items.at(1).data) == 2.5);
}

TEST_CASE("one tensor that is given twice stays one in the clones") {
  const at::Tensor shared = at::ones({2});
  const auto clones = clone_inputs({shared, shared});
  CHECK(clones[0].toTensor().is_same(clones[1].toTensor()));
  CHECK_FALSE(clones[0].toTensor().is_same(shared));
}

TEST_CASE("figures agree with LibTorch's own") {
  at::manual_seed(9);
  const at::Tensor a = at::randn({3, 50, 7}), b = a + 1e-3 * at::randn({3, 50, 7});
  MetricOptions options;
  options.closeness = {{1e-3, 1e-4, Denominator::candidate}};
  const Tensor x = to_tensor(a), y = to_tensor(b);
  const Metrics metrics = measure(x.view, y.view, options);
  const at::Tensor da = a.to(at::kDouble).flatten(), db = b.to(at::kDouble).flatten();
  CHECK(*metrics.pcc == Approx(at::corrcoef(at::stack({da, db}))[0][1].item<double>()));
  CHECK(metrics.max_abs == (da - db).abs().max().item<double>());
  CHECK(metrics.violations[0] == (~at::isclose(da, db, 1e-3, 1e-4)).sum().item<std::int64_t>());
  CHECK(metrics.cosine.value() == Approx(at::cosine_similarity(da, db, 0).item<double>()));
}
