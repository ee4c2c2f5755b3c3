#include "verify/command/generation.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

InputNeed cache(const std::string& name) {
  InputNeed need{name, "Tensor", InputNeed::Kind::tensor, true, DType::float32, Shape{1, 2, -1, 4}};
  need.meaning.role = InputRole::cache;
  return need;
}

NamedTensor output(const std::string& name, const Shape& shape) {
  return {name, random_tensor(DType::float32, shape, 1)};
}

} // namespace

TEST_CASE("caches are given back to the inputs whose names they have") {
  const std::vector<InputNeed> needs{cache("past.0.key"), cache("past.0.value")};
  const NamedTensors outputs{output("logits", {1, 3, 9}), output("present.0.value", {1, 2, 3, 4}),
                             output("present.0.key", {1, 2, 3, 4})};
  CHECK(wire_caches(needs, outputs, {}) == Wires{2, 1});
}

TEST_CASE("an input and an output of one state share what is left of their names") {
  for (const auto* name : {"h", "h_in", "h_out", "next_h", "prev.H", "H-updated"})
    CHECK(name_of_state(name) == "h");
  CHECK(name_of_state("past_key_values.0.key") == "key_values_0_key");
  CHECK(name_of_state("output").empty());
  const std::vector<InputNeed> needs{cache("h_in"), cache("c_in")};
  const NamedTensors outputs{output("y", {1, 2, 3, 4}), output("c_out", {1, 2, 3, 4}),
                             output("h_out", {1, 2, 3, 4})};
  CHECK(wire_caches(needs, outputs, {}) == Wires{2, 1});
}

TEST_CASE("numbers that outputs happen to have are no names") {
  const std::vector<InputNeed> needs{cache("past_0"), cache("past_1")};
  for (const auto& names :
       {std::vector<std::string>{"0", "1", "2"}, {"linear_4", "cat_1", "cat_3"}}) {
    const NamedTensors outputs{output(names[0], {1, 3, 9}), output(names[1], {1, 2, 3, 4}),
                               output(names[2], {1, 2, 3, 4})};
    CHECK(wire_caches(needs, outputs, {}) == Wires{1, 2});
  }
}

TEST_CASE("what an encoder gave stays where a later call gives it back empty") {
  const std::vector<InputNeed> needs{cache("past.0.encoder.key"), cache("past.0.decoder.key")};
  const Sample last{{random_tensor(DType::float32, {1, 2, 5, 4}, 1)},
                    {random_tensor(DType::float32, {1, 2, 3, 4}, 2)}};
  const NamedTensors outputs{output("present.0.encoder.key", {0, 2, 1, 4}),
                             output("present.0.decoder.key", {1, 2, 4, 4})};
  const Sample next = next_sample(needs, wire_caches(needs, outputs, {}), {}, last, outputs, {});
  CHECK(std::get<Tensor>(next[0].data).view.shape == Shape{1, 2, 5, 4});
  CHECK(std::get<Tensor>(next[1].data).view.shape == Shape{1, 2, 4, 4});
}
