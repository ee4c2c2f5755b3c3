#include "connected_graph/torchscript/file/class_constants.h"
#include "connected_graph/torchscript/file/load.h"
#include "connected_graph/torchscript/script_file.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <map>
#include <string>

using namespace model_validator;
using namespace model_validator::test;
using model_validator::torchscript::ClassConstants;
using model_validator::torchscript::load_file;
using model_validator::torchscript::plain_constant;

namespace {

const std::string head = "class Net(Module):\n"
                         "  __parameters__ = []\n"
                         "  __buffers__ = []\n"
                         "  training : bool\n";
const std::string forward = "  def forward(self: __torch__.Net,\n"
                            "    x: Tensor) -> Tensor:\n"
                            "    return torch.relu(x)\n";

bool is_taken(std::string code) {
  const std::string before = code;
  ClassConstants().take_from(code, "__torch__");
  CHECK(code.size() == before.size());
  return code != before;
}

std::map<std::string, std::string> constants_of(const torch::jit::Module& module) {
  std::map<std::string, std::string> constants;
  const auto type = module.type();
  for (std::size_t i = 0; i < type->numConstants(); ++i) {
    std::ostringstream text;
    text << type->getConstant(i).tagKind() << ' ' << type->getConstant(i);
    constants[type->getConstantName(i)] = text.str();
  }
  return constants;
}

void check_same_as_libtorch(const ScriptFile& file, std::size_t count) {
  const TemporaryFolder folder;
  const auto path = folder.write("net.pt", file.bytes());
  const auto ours = constants_of(load_file(path).module);
  CHECK(ours.size() == count);
  CHECK(ours == constants_of(torch::jit::load(path.string())));
}

} // namespace

TEST_CASE("plain literals of their type have a value") {
  CHECK(plain_constant("int", "-3")->toInt() == -3);
  CHECK(plain_constant("float", "1.0000000000000001e-05")->toDouble() == 1e-5);
  CHECK(plain_constant("bool", "True")->toBool());
  CHECK(plain_constant("str", "\"zeros\"")->toStringRef() == "zeros");
  CHECK(plain_constant("NoneType", "None")->isNone());
  const auto tuple = plain_constant("Tuple[int, int]", "(3, -1)");
  REQUIRE(tuple);
  CHECK(tuple->toTupleRef().elements()[1].toInt() == -1);
}

TEST_CASE("everything else is left to LibTorch") {
  for (const auto& [type, literal] : {std::pair("int", "1.5"),
                                      {"int", "99999999999999999999"},
                                      {"int", "1 + 1"},
                                      {"int", ""},
                                      {"float", "1"},
                                      {"float", "inf"},
                                      {"bool", "1"},
                                      {"str", "\"a\\n\""},
                                      {"str", "\"a\" \"b\""},
                                      {"str", "\""},
                                      {"NoneType", "0"},
                                      {"Tuple[int, int]", "(1, 2, 3)"},
                                      {"Tuple[int]", "(1,)"},
                                      {"Tuple[int, float]", "(1, 2)"},
                                      {"Tuple[int, int]", "(1, x)"},
                                      {"List[int]", "[1, 2]"},
                                      {"Optional[int]", "None"}})
    CHECK_FALSE(plain_constant(type, literal));
}

TEST_CASE("the constants of a module class are blanked, and every other place stays") {
  std::string code = head + "  stride : Final[Tuple[int, int]] = (2, 2)\n" + forward;
  ClassConstants().take_from(code, "__torch__");
  CHECK(code == head + std::string(42, ' ') + "\n" + forward);
}

TEST_CASE("a class stays whole if one of its constants is no plain literal") {
  const std::string constant = "  stride : Final[int] = 2\n";
  CHECK(is_taken(head + constant + forward));
  CHECK_FALSE(is_taken(head + constant + "  sizes : Final[List[int]] = [1, 2]\n" + forward));
  CHECK_FALSE(is_taken("class Net(NamedTuple):\n" + constant));
  CHECK_FALSE(is_taken("class Net(Module):\n" + constant));
  CHECK_FALSE(is_taken(head + forward + constant));
}

TEST_CASE("each class of a file is judged on its own") {
  std::string code =
      head + "  a : Final[List[int]] = [1]\n" + forward + head + "  b : Final[int] = 1\n" + forward;
  ClassConstants().take_from(code, "__torch__");
  CHECK(code.find("Final[List[int]]") != std::string::npos);
  CHECK(code.find("Final[int]") == std::string::npos);
}

TEST_CASE("a loaded class has the constants that LibTorch gives it") {
  ScriptFile file;
  file.code = head +
              "  a : Final[int] = 64\n  b : Final[float] = 0.10000000000000001\n"
              "  c : Final[str] = \"zeros\"\n  d : Final[bool] = False\n"
              "  e : Final[Tuple[int, int, int]] = (1, 2, 3)\n  f : Final[NoneType] = None\n" +
              forward;
  check_same_as_libtorch(file, 6);
  file.code.insert(head.size(), "  g : Final[List[int]] = [1, 2]\n");
  check_same_as_libtorch(file, 7);
}
