#include "connected_graph/torchscript/file/load.h"
#include "connected_graph/torchscript/script_file.h"
#include "support/temporary_folder.h"
#include "support/thrown.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <catch2/catch.hpp>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <cstring>
#include <string>
#include <vector>

using namespace model_validator;
using namespace model_validator::test;
using model_validator::torchscript::load_file;
using model_validator::torchscript::LoadedFile;
using model_validator::torchscript::LoadOptions;

namespace {

/// Bytes of `count` floats 1, 2, 3…
std::string floats(int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(i + 1));
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

LoadOptions running_setstate() {
  LoadOptions options;
  options.run_setstate = true;
  return options;
}
LoadOptions reading_weights() {
  LoadOptions options;
  options.map_weights = false;
  return options;
}

LoadedFile load(const ScriptFile& file, const LoadOptions& options = {}) {
  const TemporaryFolder folder;
  return load_file(folder.write("net.pt", file.bytes()), options);
}

Error error_of(const ScriptFile& file, const LoadOptions& options = {}) {
  const auto error = thrown_by([&] { load(file, options); });
  REQUIRE(error);
  CHECK(well_worded(*error));
  CHECK(std::string(error->what()).find("c10::") == std::string::npos);
  CHECK(std::string(error->what()).find("frame #") == std::string::npos);
  return *error;
}
std::string kind_of(const ScriptFile& file) {
  return std::string(to_string(error_of(file).kind()));
}

at::Tensor weight(const LoadedFile& loaded) { return loaded.module.attr("w").toTensor(); }

ScriptFile with_weight(int size, const std::string& bytes, const std::string& device = "cpu") {
  ScriptFile file = ScriptFile::with_tensor(ScriptFile::pickled_tensor("0", size, device));
  file.more["data/0"] = bytes;
  return file;
}

const char* const stateful_class = "class Net(Module):\n"
                                   "  __parameters__ = []\n"
                                   "  __buffers__ = []\n"
                                   "  training : bool\n"
                                   "  def forward(self: __torch__.Net,\n"
                                   "    x: Tensor) -> Tensor:\n"
                                   "    return torch.relu(x)\n"
                                   "  def __getstate__(self: __torch__.Net) -> Tuple[int, bool]:\n"
                                   "    return (7, False)\n"
                                   "  def __setstate__(self: __torch__.Net,\n"
                                   "    state: Tuple[int, bool]) -> NoneType:\n"
                                   "    ops.prim.RaiseException(\"it ran\")\n"
                                   "    return None\n";

ScriptFile with_setstate() {
  ScriptFile file;
  file.code = stateful_class;
  file.data = "\x80\x02"
              "c__torch__\nNet\n)\x81K\x07\x89\x86"
              "b.";
  return file;
}

} // namespace

TEST_CASE("a file is loaded with its code and weights") {
  const LoadedFile loaded = load(with_weight(3, floats(3)));
  CHECK(loaded.format_version == 3);
  CHECK(loaded.producer == "pytorch, file format 3");
  CHECK(loaded.module.type()->name()->qualifiedName() == "__torch__.Net");
  CHECK(weight(loaded)[2].item<float>() == 3);
  CHECK_NOTHROW(loaded.module.get_method("forward").graph());
}

TEST_CASE("packed records are read as well") {
  ScriptFile file = with_weight(3, floats(3));
  file.deflated = true;
  CHECK(weight(load(file))[1].item<float>() == 2);
}

TEST_CASE("a mapped weight is the file's and stays when the file is gone") {
  torch::jit::Module net("Net");
  net.register_parameter("w", at::arange(10'000, at::kFloat), false);
  net.define("def forward(self, x):\n  return torch.relu(x + self.w)\n");
  TemporaryFolder folder;
  const auto path = folder.path() / "net.pt";
  net.save(path.string());
  LoadedFile mapped = load_file(path);
  LoadedFile read = load_file(path, reading_weights());
  std::filesystem::remove(path);
  CHECK(weight(mapped).equal(weight(read)));
  CHECK(weight(mapped)[9'999].item<float>() == 9'999);
  weight(mapped).fill_(1); // private: the file would not have changed
  CHECK(weight(mapped)[5].item<float>() == 1);
  const auto output = mapped.module.forward({at::zeros({10'000})});
  CHECK(output.toTensor()[7].item<float>() == 1);
}

TEST_CASE("a file that shrinks after loading does no harm where weights are not read") {
  torch::jit::Module net("Net");
  net.register_parameter("w", at::zeros({1'000'000}), false);
  net.define("def forward(self, x):\n  return torch.relu(x + self.w)\n");
  const TemporaryFolder folder;
  const auto path = folder.path() / "net.pt";
  net.save(path.string());
  const LoadedFile loaded = load_file(path);
  std::filesystem::resize_file(path, 100);
  CHECK(weight(loaded).numel() == 1'000'000);
  CHECK(loaded.module.get_method("forward").graph()->inputs().size() == 2);
}

TEST_CASE("weights of another device arrive on the CPU") {
  CHECK(weight(load(with_weight(3, floats(3), "cuda:1"))).is_cpu());
}

TEST_CASE("nodes know the Python they came from") {
  torch::jit::Module net("Net");
  net.define("def forward(self, x):\n  y = torch.relu(x)\n  return torch.tanh(y)\n");
  const TemporaryFolder folder;
  const auto path = folder.path() / "net.pt";
  net.save(path.string());
  const LoadedFile loaded = load_file(path);
  std::vector<std::string> texts;
  for (const auto* node : loaded.module.get_method("forward").graph()->nodes()) {
    const auto range = node->sourceRange();
    const auto python = range.source()->findSourceRangeThatGenerated(range);
    if (python) texts.push_back(python->text().str());
  }
  REQUIRE(texts.size() >= 2);
  CHECK(texts[0].find("torch.relu") != std::string::npos);
  CHECK(texts.back().find("torch.tanh") != std::string::npos);
}

TEST_CASE("a debug table that makes no sense is left out") {
  const std::string tables[] = {
      "\x80\x02K\x01\x85.", // a number in place of a record
      "\x80\x02).",
      "\x80\x02K\x01)K\x01\x87\x85.",               // a range without fields
      "\x80\x02K\x01)K\x01K\x01\x87K\x01\x87\x85.", // a source without fields
      "no pickle",
  };
  for (const std::string& table : tables) {
    ScriptFile file;
    file.more["code/__torch__.py.debug_pkl"] = table;
    const LoadedFile loaded = load(file);
    for (const auto* node : loaded.module.get_method("forward").graph()->nodes())
      CHECK_FALSE(node->sourceRange().source()->findSourceRangeThatGenerated(node->sourceRange()));
  }
}

TEST_CASE("loading runs no __setstate__ unless asked") {
  const LoadedFile loaded = load(with_setstate());
  REQUIRE(loaded.unset_objects.size() == 1);
  CHECK(loaded.unset_objects[0].second.toTupleRef().elements()[0].toInt() == 7);
  const Error error = error_of(with_setstate(), running_setstate());
  CHECK(error.kind() == ErrorKind::unreadable_torchscript);
}

TEST_CASE("packed parameters of a quantized module stay empty") {
  torch::jit::Stack stack{at::quantize_per_tensor(at::ones({2, 2}), 0.1, 0, at::kQInt8),
                          at::zeros({2})};
  c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "").callBoxed(&stack);
  const c10::IValue packed = stack.at(0);
  torch::jit::Module net("Net");
  net.register_attribute("packed", packed.type(), packed);
  net.define("def forward(self, x):\n  return torch.relu(x)\n");
  const TemporaryFolder folder;
  net.save((folder.path() / "net.pt").string());
  const LoadedFile loaded = load_file(folder.path() / "net.pt");
  CHECK(loaded.unset_objects.size() == 1);
  CHECK(loaded.module.get_method("forward").graph()->outputs().size() == 1);
  const LoadedFile whole = load_file(folder.path() / "net.pt", running_setstate());
  CHECK(whole.unset_objects.empty());
  CHECK(whole.module.attr("packed").isObject());
}

TEST_CASE("tensors that reach beyond their data are refused") {
  CHECK(kind_of(with_weight(4, floats(3))) == "damaged-file");
  CHECK(kind_of(ScriptFile::with_tensor(ScriptFile::pickled_tensor("0", 3))) == "damaged-file");
  CHECK(error_of(with_weight(4, floats(3))).what() ==
        std::string("a tensor reaches beyond its data `0`"));
}

TEST_CASE("a file with two weights of a name is refused: readers of zips take one or the other") {
  ScriptFile file = with_weight(3, floats(3));
  file.more["DATA/0"] = floats(3); // miniz, which torch reads with, asks for no case
  CHECK(error_of(file).what() == std::string("the zip contradicts itself about `net/data/0`"));
}

TEST_CASE("a tensor without elements needs no data") {
  CHECK(weight(load(ScriptFile::with_tensor(ScriptFile::pickled_tensor("0", 0)))).numel() == 0);
}

TEST_CASE("a newer file format is named") {
  ScriptFile file;
  file.version = "99\n";
  const Error error = error_of(file);
  CHECK(error.kind() == ErrorKind::newer_format);
  CHECK(std::string(error.what()).find("99") != std::string::npos);
  file.version = "nonsense";
  CHECK(kind_of(file) == "damaged-file");
}

TEST_CASE("an unknown operator is named with both fixes") {
  const Error error = error_of(ScriptFile::with_body("    return ops.my_company.fancy(x)\n"));
  CHECK(error.kind() == ErrorKind::unknown_operator);
  CHECK(std::string(error.what()).find("`my_company::fancy`") != std::string::npos);
  CHECK(error.hint().find("--op-library") != std::string::npos);
  CHECK(error.hint().find("rules/operators") != std::string::npos);
}

TEST_CASE("an operator that a table describes is read") {
  const LoadedFile loaded =
      load(ScriptFile::with_body("    return ops.torchvision.nms(x, x, 0.5)\n"));
  CHECK(loaded.module.get_method("forward").graph()->outputs().size() == 1);
}

TEST_CASE("an unknown custom class is named") {
  ScriptFile file;
  file.code.insert(file.code.find("  def"), "  codec : __torch__.torch.classes.audio.Codec\n");
  const Error error = error_of(file);
  CHECK(error.kind() == ErrorKind::unknown_class);
  CHECK(std::string(error.what()).find("audio.Codec") != std::string::npos);
}

TEST_CASE("an operator library that is missing, or none, is named") {
  const TemporaryFolder folder;
  const auto kind = [&](const std::filesystem::path& library) {
    LoadOptions options;
    options.operator_libraries = {library};
    return to_string(error_of(ScriptFile(), options).kind());
  };
  CHECK(kind(folder.path() / "none.so") == "bad-op-library");
  CHECK(kind(folder.write("text.so", "no library")) == "bad-op-library");
}

TEST_CASE("code that a recursive parser would not survive is refused") {
  const auto nested = [](const std::string& open, const std::string& close) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += open;
    text += "x";
    for (int i = 0; i < 100'000; ++i) text += close;
    return ScriptFile::with_body("    return " + text + "\n");
  };
  CHECK(kind_of(nested("(", ")")) == "too-deep");
  CHECK(kind_of(nested("torch.relu(", ")")) == "too-deep");
  CHECK(kind_of(nested("-", "")) == "too-deep");
  CHECK(kind_of(nested("", " + x")) == "too-deep");
  CHECK(kind_of(nested("[", "]")) == "too-deep");
}

TEST_CASE("what is nested up to the limit is read") {
  std::string text = "x";
  for (int i = 0; i < 600; ++i) text = "torch.relu(" + text + ")";
  CHECK_NOTHROW(load(ScriptFile::with_body("    return " + text + "\n")));
}

TEST_CASE("pickles beyond sense are refused") {
  ScriptFile file;
  file.constants = "\x80\x02)" + std::string(1'000'000, '\x85') + ".";
  CHECK(kind_of(file) == "too-deep");
  file.constants = "\x80\x02]q";
  file.constants += std::string(1, '\0') + "h" + std::string(1, '\0') + "a\x85.";
  CHECK(kind_of(file) == "too-deep");
  file.constants = "\x80\x02)";
  for (int i = 0; i < 60; ++i) file.constants += "2\x86";
  file.constants += ".";
  CHECK(kind_of(file) == "too-deep");
  file.constants = "\x80\x02(K\x01";
  CHECK(kind_of(file) == "damaged-file");
}

TEST_CASE("an attribute that is not of its type is refused") {
  ScriptFile file;
  file.attributes = ScriptFile::pickled_text("training") + ScriptFile::pickled_text("yes");
  const Error error = error_of(file);
  CHECK(error.kind() == ErrorKind::unreadable_torchscript);
  CHECK(std::string(error.what()).find("`training`") != std::string::npos);
}

TEST_CASE("a file whose root is not a module is refused") {
  ScriptFile file;
  file.data = "\x80\x02K\x01.";
  CHECK(kind_of(file) == "unreadable-torchscript");
}

TEST_CASE("code that does not compile is an error without C++ frames") {
  CHECK(kind_of(ScriptFile::with_body("    return torch.relu(\n")) == "unreadable-torchscript");
  CHECK(kind_of(ScriptFile::with_body("    return nothing_like_it\n")) == "unreadable-torchscript");
  CHECK(kind_of(ScriptFile::with_body("    return (self).forward(x, )\n")) ==
        "unreadable-torchscript");
}
