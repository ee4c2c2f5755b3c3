#include "connected_graph/torchscript/code/dependence.h"

#include <catch2/catch.hpp>

#include <array>

using model_validator::torchscript::Dependence;

TEST_CASE("dependences of a value are its data, its shape or its conditions") {
  Dependence graph;
  const auto input = graph.add(), size = graph.add(), flag = graph.add(), result = graph.add();
  graph.add_edge(size, input, Dependence::How::shape);
  graph.add_edge(result, size);
  graph.add_edge(result, flag, Dependence::How::decision);
  const std::array from{result};
  const auto all = graph.reached(from, Dependence::Follow::all);
  CHECK(all.by_data[size]);
  CHECK_FALSE(all.by_data[input]);
  CHECK(all.by_shape[input]);
  CHECK(all.has(flag));
  CHECK_FALSE(graph.reached(from, Dependence::Follow::values).has(flag));
}

TEST_CASE("the null value has no dependences") {
  Dependence graph;
  const auto value = graph.add();
  graph.add_edge(value, Dependence::nothing);
  graph.add_edge(Dependence::nothing, value);
  CHECK_FALSE(graph.reached(std::array{value}, Dependence::Follow::all).has(Dependence::nothing));
}
