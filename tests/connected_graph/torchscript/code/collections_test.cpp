#include "connected_graph/torchscript/code/collections.h"
#include "connected_graph/torchscript/ir.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::node_of;
using test::parsed_ir;
using torchscript::known_length;
using torchscript::picked_element;

namespace {

std::string list_and(const std::string& rest) {
  return "graph(%x : Tensor, %y : Tensor, %n : int):\n"
         "  %one : int = prim::Constant[value=1]()\n"
         "  %last : int = prim::Constant[value=-1]()\n"
         "  %far : int = prim::Constant[value=7]()\n"
         "  %list : Tensor[] = prim::ListConstruct(%x, %y)\n" +
         rest;
}

/// The name of what the first `aten::__getitem__` picks; empty where that is not known.
std::string picked(const std::string& ir) {
  const auto graph = parsed_ir(ir);
  const torch::jit::Value* value = picked_element(node_of(*graph, "aten::__getitem__"));
  return value != nullptr ? value->debugName() : "";
}

} // namespace

TEST_CASE("an element of a list is known by a constant index") {
  const std::string get = "  %z : Tensor = aten::__getitem__(%list, ";
  CHECK(picked(list_and(get + "%one)\n  return (%z)")) == "y");
  CHECK(picked(list_and(get + "%last)\n  return (%z)")) == "y");
  CHECK(picked(list_and(get + "%far)\n  return (%z)")).empty());
  CHECK(picked(list_and(get + "%n)\n  return (%z)")).empty());
}

TEST_CASE("nothing is known of a list that is changed or held elsewhere") {
  CHECK(picked(list_and("  %more : Tensor[] = aten::append(%list, %x)\n"
                        "  %z : Tensor = aten::__getitem__(%list, %one)\n  return (%z)"))
            .empty());
  CHECK(picked(list_and("  %z : Tensor = aten::__getitem__(%list, %one)\n  return (%z, %list)"))
            .empty());
}

TEST_CASE("a value of a dict is known by its key, the last one counts") {
  const std::string dict =
      "graph(%x : Tensor, %y : Tensor, %z : Tensor):\n"
      "  %a : str = prim::Constant[value=\"a\"]()\n"
      "  %b : str = prim::Constant[value=\"b\"]()\n"
      "  %c : str = prim::Constant[value=\"c\"]()\n"
      "  %d : Dict(str, Tensor) = prim::DictConstruct(%a, %x, %b, %y, %a, %z)\n";
  CHECK(picked(dict + "  %v : Tensor = aten::__getitem__(%d, %b)\n  return (%v)") == "y");
  CHECK(picked(dict + "  %v : Tensor = aten::__getitem__(%d, %a)\n  return (%v)") == "z");
  CHECK(picked(dict + "  %v : Tensor = aten::__getitem__(%d, %c)\n  return (%v)").empty());
}

TEST_CASE("the length of a list is known while nobody changes it") {
  const auto graph = parsed_ir(list_and("  %l : int = aten::len(%list)\n  return (%l)"));
  CHECK(known_length(node_of(*graph, "aten::len")) == 2);
  CHECK_FALSE(known_length(node_of(*graph, "prim::ListConstruct")));
  const auto grown = parsed_ir(list_and("  %more : Tensor[] = aten::append(%list, %x)\n"
                                        "  %l : int = aten::len(%list)\n  return (%l)"));
  CHECK_FALSE(known_length(node_of(*grown, "aten::len")));
}
