#include "connected_graph/module_aliases.h"
#include "connected_graph/module_hierarchy.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

const std::string linear = "torch.nn.modules.linear.Linear";

} // namespace

TEST_CASE("paths to the same tensors are one module, the shortest path first") {
  GraphBuilder graph;
  ModuleHierarchy modules(graph);
  modules.at("", "Net");
  const ModuleId longer = modules.at("block.proj", linear);
  const ModuleId shorter = modules.at("proj", linear);
  const auto now =
      merge_aliases(graph, {{longer, "weight", 1, true}, {shorter, "weight", 1, true}});
  CHECK(now[longer] == now[shorter]);
  CHECK(graph.module(now[longer]).path == "proj");
  CHECK(graph.module(now[longer]).aliases == std::vector<std::string>{"block.proj"});
  CHECK(graph.modules().size() == 3);
}

TEST_CASE("modules beneath a shared module are shared as well") {
  GraphBuilder graph;
  ModuleHierarchy modules(graph);
  modules.at("", "Net");
  const ModuleId a = modules.at("a", "Block");
  const ModuleId fc = modules.at("a.fc", linear);
  const ModuleId act = modules.at("a.act", "ReLU");
  const ModuleId b = modules.at("b", "Block");
  const ModuleId fc_b = modules.at("b.fc", linear);
  const ModuleId act_b = modules.at("b.act", "ReLU");
  const auto now = merge_aliases(graph, {{fc, "weight", 1, true}, {fc_b, "weight", 1, true}});
  CHECK(now[a] == now[b]);
  CHECK(now[act] == now[act_b]);
  CHECK(graph.module(now[act]).aliases == std::vector<std::string>{"b.act"});
  CHECK(graph.module(now[act]).parent == now[a]);
}

TEST_CASE("a module beneath a shared module may come before its twin") {
  GraphBuilder graph;
  ModuleHierarchy modules(graph);
  modules.at("", "Net");
  const ModuleId a = modules.at("a", "Block");
  const ModuleId b = modules.at("b", "Block");
  const ModuleId act_b = modules.at("b.act", "ReLU");
  const ModuleId act = modules.at("a.act", "ReLU");
  const auto now = merge_aliases(graph, {{a, "weight", 1, true}, {b, "weight", 1, true}});
  CHECK(now[act] == now[act_b]);
  CHECK(graph.module(now[act]).path == "a.act");
  CHECK(graph.modules().size() == 3);
}

TEST_CASE("modules stay apart") {
  GraphBuilder graph;
  ModuleHierarchy modules(graph);
  modules.at("", "Net");
  const ModuleId a = modules.at("a", linear);
  SECTION("of different classes") {
    const ModuleId b = modules.at("b", "torch.nn.modules.sparse.Embedding");
    merge_aliases(graph, {{a, "weight", 1, true}, {b, "weight", 1, true}});
  }
  SECTION("when they share only some tensors") {
    const ModuleId b = modules.at("b", linear);
    merge_aliases(graph, {{a, "weight", 1, true},
                          {b, "weight", 1, true},
                          {a, "bias", 2, true},
                          {b, "bias", 3, true}});
  }
  SECTION("when they have no tensors") {
    modules.at("b", linear);
    merge_aliases(graph, {});
  }
  SECTION("when what they share may be chance") {
    const ModuleId b = modules.at("b", linear);
    merge_aliases(graph, {{a, "weight", 1, false}, {b, "weight", 1, false}});
  }
  CHECK(graph.modules().size() == 3);
}
