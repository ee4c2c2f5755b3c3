#include "verify/run/tensor_tree.h"

#include <ATen/ops/ones.h>
#include <catch2/catch.hpp>

using namespace model_validator::verify;

TEST_CASE("a tuple is mapped around an undefined tensor, and keeps its name") {
  const auto tensor = c10::TensorType::get();
  const std::vector<std::string> names{"first", "second"};
  const std::vector<c10::TypePtr> types{tensor, tensor};
  const auto named = c10::TupleType::createNamed(c10::QualifiedName("Pair"), names, types);
  const auto twice = [](const at::Tensor& each) { return each + each; };
  for (const bool with_name : {false, true}) {
    std::vector<c10::IValue> elements{at::ones({2}), at::Tensor()};
    const c10::IValue given = with_name ? c10::ivalue::Tuple::createNamed(elements, named)
                                        : c10::ivalue::Tuple::create(elements);
    const c10::IValue mapped = map_tensors(given, twice);
    const auto& made = mapped.toTupleRef().elements();
    CHECK(identical(made.at(0).toTensor(), at::ones({2}) * 2));
    CHECK_FALSE(made.at(1).toTensor().defined());
    if (with_name) CHECK(mapped.toTupleRef().type<c10::TupleType>() == named);
  }
}
