#include "connected_graph/torchscript/file/operator_libraries.h"
#include "files/scratch_folder.h"
#include "verify/backends/small_onnx.h"
#include "verify/command/model_runs.h"
#include "verify/command/own_weights.h"
#include "verify/command/reference_reruns.h"
#include "verify/inputs/golden_folder.h"
#include "verify/inputs/npz.h"
#include "verify/small_pte.h"
#include "verify_test_modules.h"

#include <model_validator/error.h>
#include <model_validator/verify/request.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <torch/csrc/jit/ir/irparser.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

/// Two outputs of one small model, saved where it can be verified.
class SavedModel {
public:
  explicit SavedModel(const std::string& body = "return x * 2, torch.sin(x)",
                      const at::Tensor& weight = {}) {
    auto module = scripted("");
    if (weight.defined()) module.register_parameter("w", weight, false);
    define(module, "def forward(self, x):\n  " + body);
    module.register_attribute("training", c10::BoolType::get(), false);
    module.save(file().string());
  }
  std::filesystem::path file() const { return folder_.path() / "model.pt"; }
  std::filesystem::path folder() const { return folder_.path(); }

private:
  ScratchFolder folder_;
};

VerifyRequest request_for(const SavedModel& model) {
  VerifyRequest request;
  request.reference = model.file();
  request.inputs.specs = {"x=2x3"};
  request.output_format = "json";
  request.threads = 1;
  return request;
}

/// Adds a method given as a graph in TorchScript's own representation.
void add_method(torch::jit::Module& module, const std::string& name, const std::string& ir) {
  auto graph = std::make_shared<torch::jit::Graph>();
  torch::jit::parseIR(ir, graph.get());
  graph->inputs()[0]->setType(module.type());
  module.type()->addMethod(module._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*module.type()->name(), name), graph));
}

void save_graph(const std::filesystem::path& file, const std::string& ir) {
  auto module = scripted("");
  module.register_attribute("training", c10::BoolType::get(), false);
  add_method(module, "forward", ir);
  module.save(file.string());
}

/// A file whose operator ends the process, and a request that names the library with it.
std::filesystem::path save_crashing_model(const std::filesystem::path& folder,
                                          VerifyRequest& request) {
  request.operator_libraries = {CRASHING_OPERATOR_LIBRARY};
  torchscript::load_operator_libraries(request.operator_libraries);
  const auto file = folder / "crashing.pt";
  save_graph(file, R"IR(graph(%self, %x : Tensor):
    %y : Tensor = crashing::touch_nothing(%x)
    return (%y))IR");
  return file;
}

/// The same, where it is loading the file that ends the process.
std::filesystem::path save_model_crashing_when_loaded(const std::filesystem::path& folder,
                                                      VerifyRequest& request) {
  request.operator_libraries = {CRASHING_OPERATOR_LIBRARY};
  torchscript::load_operator_libraries(request.operator_libraries);
  auto module = scripted("");
  module.register_attribute("training", c10::BoolType::get(), false);
  define(module, "def forward(self, x):\n  return x + 1");
  define(module, "def __getstate__(self):\n  return torch.ones([1])");
  add_method(module, "__setstate__", R"IR(graph(%self, %x : Tensor):
    %y : Tensor = crashing::touch_nothing(%x)
    prim::Print(%y)
    %none : NoneType = prim::Constant()
    return (%none))IR");
  const auto file = folder / "crashing_when_loaded.pt";
  module.save(file.string());
  return file;
}

std::vector<std::string> incidents(const VerifyResult& result) {
  std::vector<std::string> kinds;
  const auto report = nlohmann::json::parse(result.output);
  for (const auto& incident : report["incidents"]) kinds.push_back(incident["kind"]);
  return kinds;
}

std::string refusal(const VerifyRequest& request) {
  try {
    run_verification(request);
  } catch (const Error& error) {
    return std::string(to_string(error.kind()));
  }
  return "accepted";
}

} // namespace

TEST_CASE("a model equals its LibTorch compilation") {
  const SavedModel model;
  auto request = request_for(model);
  request.backend = "ts";
  request.inputs.samples = 2;
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::same);
  CHECK(nlohmann::json::parse(result.output)["outputs"].size() == 4);
}

TEST_CASE("another model is different, and the op that differs is named") {
  const SavedModel model, other("return x * 2, torch.cos(x)");
  auto request = request_for(model);
  request.candidate = other.file();
  request.localize = true;
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::different);
  std::string first;
  const auto report = nlohmann::json::parse(result.output);
  for (const auto& op : report["ops"])
    if (op["first_divergent"]) first = op["type"];
  CHECK(first == "sin");
}

TEST_CASE("how the files differ where the first op differs is told") {
  const SavedModel model("return torch.softmax(x, 1)"), other("return torch.softmax(x, 0)");
  auto request = request_for(model);
  request.candidate = other.file();
  request.localize = true;
  const auto ops = run_verification(request).report.ops;
  const auto first = std::ranges::find_if(ops, &OpComparison::first_divergent);
  REQUIRE(first != ops.end());
  CHECK(first->cause == "`dim` is 1 against 0");
  CHECK(first->graph_op == first->op);
}

TEST_CASE("the op is sought in the first sample that differs") {
  const SavedModel model("return torch.relu(x + 3)"), other("return torch.relu(x + 3) * (x + 3)");
  auto request = request_for(model);
  request.candidate = other.file();
  request.localize = true;
  // Where x + 3 is 1, the two are the same.
  const ScratchFolder folder;
  for (const auto& [name, value] : {std::pair("0.npz", -2.0F), std::pair("1.npz", 5.0F)}) {
    const std::vector<float> values(6, value);
    write_npz(folder.path() / name, {{"x", make_tensor(DType::float32, {2, 3}, values.data())}});
  }
  request.inputs.specs.clear();
  request.inputs.files = {folder.path() / "0.npz", folder.path() / "1.npz"};
  const auto result = run_verification(request);
  const auto report = nlohmann::json::parse(result.output);
  CHECK(result.status == VerifyStatus::different);
  CHECK(report["ops"].size() == 2);
  CHECK(report["ops"][1]["first_divergent"] == true);
}

TEST_CASE("an output is held to no less than the noise of what it is computed from") {
  const auto status_against = [](const SavedModel& model, const std::string& candidate) {
    const SavedModel other(candidate);
    auto request = request_for(model);
    request.candidate = other.file();
    return run_verification(request).status;
  };
  SECTION("a sigmoid near zero has the noise of numbers near one") {
    const SavedModel model("return torch.sigmoid(x - 12)");
    CHECK(status_against(model, "return 0.5 + 0.5 * torch.tanh((x - 12) / 2)") ==
          VerifyStatus::same);
    CHECK(status_against(model, "return torch.sigmoid((x - 12) * 1.02)") ==
          VerifyStatus::different);
  }
  SECTION("terms that cancel leave the noise of their size") {
    const SavedModel model("return x + 10000 - 10000");
    CHECK(status_against(model, "return x * 1") == VerifyStatus::same);
    CHECK(status_against(model, "return x * 1.01") == VerifyStatus::different);
  }
  SECTION("small values alone are no noise") {
    const SavedModel model("return x * 1e-9");
    CHECK(status_against(model, "return x * 1.001e-9") == VerifyStatus::different);
    CHECK(status_against(model, "return x * 0") == VerifyStatus::different);
  }
  SECTION("values at the edge of a step go to either side of it") {
    const std::string steps =
        "torch.fake_quantize_per_tensor_affine(x * self.w, 0.05, 0, -128, 127)";
    const auto status = [&](const std::string& candidate) {
      const SavedModel model("return " + steps, at::tensor({1.F, 40.F, 80.F}));
      const SavedModel other("x = " + candidate, at::tensor({1.F, 40.F, 80.F}));
      auto request = request_for(model);
      request.inputs.range = ValueRange{0.025, 0.025};
      request.candidate = other.file();
      return run_verification(request).status;
    };
    CHECK(status("x * 1.000001\n  return " + steps) == VerifyStatus::same);
    CHECK(status("x\n  return 1.1 * " + steps) == VerifyStatus::different);
  }
  SECTION("a tolerance that is given decides, and the report repeats it") {
    const SavedModel model("return torch.sigmoid(x - 12)");
    const SavedModel other("return 0.5 + 0.5 * torch.tanh((x - 12) / 2)");
    auto request = request_for(model);
    request.candidate = other.file();
    SECTION("absolute") { request.atol = "0"; }
    SECTION("relative") { request.rtol = "0.0001"; }
    const auto result = run_verification(request);
    CHECK(result.status == VerifyStatus::different);
    CHECK_THAT(result.output, Catch::Contains("as given"));
  }
  SECTION("as much noise as the terms that cancel leave, and no more") {
    const SavedModel model("y = x + 1000.0\n  return (y * y).mean(-1) - y.mean(-1) ** 2");
    CHECK(status_against(model, "y = x.double() + 1000.0\n  return ((y * y).mean(-1) - "
                                "y.mean(-1) ** 2).float()") == VerifyStatus::same);
    CHECK(status_against(model, "return x.mean(-1) + 10") == VerifyStatus::different);
  }
  SECTION("a distance from the float64 run is no noise unless rounding moves the reference, too") {
    // In float64 it is a third larger; the second term moves by some roundings of 10000.
    const auto status = [&](const std::string& factor) {
      const SavedModel model("w = 1.0 + 0.3 * float(x.dtype == 7)\n"
                             "  return x * w + " +
                             factor + " * ((x + 10000.0) - 10000.0 - x)");
      const SavedModel other("return x * 1.25");
      auto request = request_for(model);
      request.inputs.specs = {"x=64x32"};
      request.candidate = other.file();
      return run_verification(request).status;
    };
    CHECK(status("0.0") == VerifyStatus::different);
    CHECK(status("25.0") == VerifyStatus::different);
    CHECK(status("700.0") == VerifyStatus::same);
  }
  SECTION("scores beside boxes have the noise of what they are computed from") {
    const std::string boxes = "b = x.repeat(8, 1) * 640.0\n  ";
    const SavedModel model(boxes + "return torch.cat([b, b + 4000.0 - 4000.0 - b], -1)");
    CHECK(status_against(model, boxes + "return torch.cat([b, b * 0], -1)") == VerifyStatus::same);
    CHECK(status_against(model, boxes + "return torch.cat([b, b * 0 + 0.03], -1)") ==
          VerifyStatus::different);
  }
}

TEST_CASE("results of float64 are held to what the network computes in") {
  const auto status_against = [](const SavedModel& model, const std::string& candidate) {
    const SavedModel other(candidate);
    auto request = request_for(model);
    request.candidate = other.file();
    return run_verification(request).status;
  };
  const std::string exact = "return torch.tanh(x.double() * 1.1) * 3.3";
  const SavedModel narrow("return (torch.tanh(x * 1.1) * 3.3).double()"), wide(exact);
  CHECK(status_against(narrow, exact) == VerifyStatus::same);
  CHECK(status_against(narrow, exact + " * 1.001") == VerifyStatus::different);
  CHECK(status_against(wide, "return (torch.tanh(x * 1.1) * 3.3).double()") ==
        VerifyStatus::different);
  CHECK(status_against(wide, "return 3.3 * torch.tanh(1.1 * x.double())") == VerifyStatus::same);
}

TEST_CASE("a text among the outputs is compared") {
  const SavedModel model("return x, 'left'");
  auto request = request_for(model);
  request.candidate = model.file();
  CHECK(run_verification(request).status == VerifyStatus::same);
  const SavedModel other("return x, 'port'");
  request.candidate = other.file();
  CHECK(run_verification(request).status == VerifyStatus::different);
}

TEST_CASE("a list of numbers is accepted for a tensor") {
  const SavedModel model("return x.sum() * 2");
  auto request = request_for(model);
  request.backend = "eager";
  request.inputs.specs.clear();
  const auto file = model.folder() / "inputs.pt";
  const auto save = [&](const c10::IValue& value) {
    const auto bytes = torch::jit::pickle_save(c10::ivalue::Tuple::create({value}));
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
    request.inputs.files = {file};
  };
  save(c10::List<std::int64_t>({12, 10, 8}));
  CHECK(run_verification(request).status == VerifyStatus::same);
  save(c10::List<std::string>({"a", "b"}));
  CHECK(refusal(request) == "bad-inputs");
}

TEST_CASE("outputs that are swapped, dropped or of another kind of dtype are different") {
  const SavedModel model;
  for (const auto* body :
       {"return torch.sin(x), x * 2", "return x * 2", "return x * 2, torch.sin(x).to(4)"}) {
    CAPTURE(body);
    const SavedModel other(body);
    auto request = request_for(model);
    request.candidate = other.file();
    CHECK(run_verification(request).status == VerifyStatus::different);
  }
}

TEST_CASE("a dtype of the same kind is told, and does not fail") {
  const SavedModel model, other("return x * 2, torch.sin(x).to(7)");
  auto request = request_for(model);
  request.candidate = other.file();
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::same);
  CHECK_THAT(result.output, Catch::Contains("returns float64 where the reference returns float32"));
}

TEST_CASE("outputs that say nothing do not pass") {
  const SavedModel model("return x * float('nan')"), empty("return x[:0]"), zero("return x * 0");
  for (const auto* saved : {&model, &empty, &zero}) {
    auto request = request_for(*saved);
    request.backend = "ts";
    const auto result = run_verification(request);
    CHECK(result.status == VerifyStatus::different);
    CHECK_THAT(result.output, Catch::Contains("no value was compared"));
    request.allow_empty = true;
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
}

TEST_CASE("a candidate in halves is held to what they cost on this model") {
  const SavedModel model("h = torch.tanh(x * 1.7 + 0.3)\n  return torch.tanh(h * 2.3 - 0.1) * 3.1");
  const auto report_against = [&](const std::string& scale, const std::string& type) {
    const SavedModel half("h = torch.tanh(x.to(" + type +
                          ") * 1.7 + 0.3)\n  return (torch.tanh(h * " + scale +
                          " - 0.1) * 3.1).to(6)");
    auto request = request_for(model);
    request.inputs.specs = {"x=64x32"};
    request.candidate = half.file();
    return nlohmann::json::parse(run_verification(request).output);
  };
  for (const auto& [type, name] : {std::pair("5", "float16"), std::pair("15", "bfloat16")}) {
    CAPTURE(name);
    const auto honest = report_against("2.3", type);
    CHECK(honest["passed"] == true);
    CHECK(honest["precision"] == name);
    CHECK(report_against("2.7", type)["passed"] == false);
    // In bfloat16 that is less than its rounding; in float64 nothing else differs.
    const auto slight = report_against("2.305", type);
    CHECK(slight["passed"] == false);
    if (std::string(name) == "bfloat16") CHECK_THAT(slight.dump(), Catch::Contains("in float64, "));
  }
}

TEST_CASE("one label of twenty may lie on the edge of another in a lower precision") {
  const auto status_of = [](const std::string& rows) {
    const SavedModel model("return (x * 1.1).argmax(-1)");
    const SavedModel other("y = (x.to(5) * 1.1).argmax(-1)\n"
                           "  return torch.where(torch.arange(y.size(0)) == 0, 1 - y, y)");
    auto request = request_for(model);
    request.inputs.specs = {"x=" + rows + "x2"};
    request.candidate = other.file();
    return run_verification(request).status;
  };
  CHECK(status_of("19") == VerifyStatus::different);
  CHECK(status_of("20") == VerifyStatus::same);
}

TEST_CASE("outputs of a dict are identified by their names") {
  const SavedModel model("return {'a': x, 'b': x * 2}");
  auto request = request_for(model);
  SECTION("in another order they are the same") {
    const SavedModel other("return {'b': x * 2, 'a': x}");
    request.candidate = other.file();
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
  SECTION("by another name one is missing") {
    const SavedModel other("return {'a': x, 'c': x * 2}");
    request.candidate = other.file();
    CHECK(run_verification(request).status == VerifyStatus::different);
  }
}

TEST_CASE("a model that returns nothing cannot be verified") {
  const SavedModel model("return None");
  auto request = request_for(model);
  request.backend = "ts";
  CHECK(refusal(request) == "nothing-to-compare");
}

TEST_CASE("a module of other methods than forward cannot be verified") {
  const ScratchFolder folder;
  auto module = scripted("");
  define(module, "def encode(self, x):\n  return x * 2");
  VerifyRequest request;
  request.reference = folder.path() / "encoder.pt";
  request.backend = "ts";
  module.save(request.reference.string());
  try {
    run_verification(request);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::no_forward);
    CHECK(error.path() == request.reference.string());
    CHECK(error.hint().find("`encode`") != std::string::npos);
  }
}

TEST_CASE("a program that fails, crashes or hangs is a finding") {
  const SavedModel model;
  auto request = request_for(model);
  std::string kind = "crash";
  SECTION("it fails") { request.command = "true {inputs} {outputs}; exit 3"; }
  SECTION("it crashes") { request.command = "true {inputs} {outputs}; kill -9 $$"; }
  SECTION("it touches memory that is not its own") {
    request.command = "true {inputs} {outputs}; kill -SEGV $$";
  }
  SECTION("what it starts crashes") {
    request.command = "true {inputs} {outputs}; sh -c 'kill -SEGV $$'; exit $?";
  }
  SECTION("it ends the process that waits for it") {
    request.command = "true {inputs} {outputs}; kill -KILL $PPID";
  }
  SECTION("there is none") { request.command = "/no/such/program {inputs} {outputs}"; }
  SECTION("it leaves a file that is not an archive") {
    request.command = "cat {inputs} | head -c 40 > {outputs}";
  }
  SECTION("it leaves an empty file") { request.command = "true {inputs}; : > {outputs}"; }
  SECTION("it leaves nothing") { request.command = "true {inputs} {outputs}"; }
  SECTION("it hangs") {
    request.command = "true {inputs} {outputs}; sleep 600";
    request.timeout = std::chrono::seconds(5);
    kind = "timeout";
  }
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::crashed);
  CHECK(incidents(result) == std::vector<std::string>{kind});
}

TEST_CASE("a size that was baked in shows with another") {
  const SavedModel model("return x.reshape([x.size(0), 3, 1]).sum([2])");
  const SavedModel baked("return x.reshape([2, 3, 1]).sum([2])");
  auto request = request_for(model);
  request.candidate = baked.file();
  CHECK(run_verification(request).status == VerifyStatus::same);
  request.inputs.sizes = {"x.0=2,5"};
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::crashed);
  CHECK(incidents(result) == std::vector<std::string>{"crash"});
}

TEST_CASE("a model that wants more memory than it may take is a finding") {
  const SavedModel model;
  const SavedModel large("return x + torch.zeros([1 << 30]).sum()");
  auto request = request_for(model);
  request.candidate = large.file();
  request.max_memory = std::uint64_t{2} << 30;
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::crashed);
  CHECK(incidents(result) == std::vector<std::string>{"crash"});
  CHECK_THAT(result.output, Catch::Contains("there is not enough memory"));
}

TEST_CASE("a program that a shell saw crash is reported with its signal") {
  const SavedModel model;
  auto request = request_for(model);
  request.command = "true {inputs} {outputs}; sh -c 'kill -SEGV $$'; exit $?";
  CHECK_THAT(run_verification(request).output,
             Catch::Contains("signal 11 (Segmentation fault), exit status 139"));
}

TEST_CASE("an operator of a library that crashes is a finding, not the end of the run") {
  const SavedModel model("return x + 1");
  auto request = request_for(model);
  request.candidate = save_crashing_model(model.folder(), request);
  SECTION("as it is") {}
  SECTION("compiled") { request.backend = "ts"; }
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::crashed);
  CHECK(incidents(result) == std::vector<std::string>{"crash"});
  CHECK_THAT(result.output, Catch::Contains("signal 11"));
}

TEST_CASE("a reference that crashes is reported as such") {
  const SavedModel model("return x + 1");
  auto request = request_for(model);
  request.reference = save_crashing_model(model.folder(), request);
  request.backend = "ts";
  CHECK(refusal(request) == "reference-crashed");
}

TEST_CASE("a file that crashes while it is loaded does not end the run") {
  const SavedModel model("return x + 1");
  auto request = request_for(model);
  const auto file = save_model_crashing_when_loaded(model.folder(), request);
  SECTION("as the candidate") {
    request.candidate = file;
    const auto result = run_verification(request);
    CHECK(result.status == VerifyStatus::crashed);
    CHECK(incidents(result) == std::vector<std::string>{"crash"});
    CHECK_THAT(result.output, Catch::Contains("signal 11"));
  }
  SECTION("as the reference") {
    request.reference = file;
    request.backend = "ts";
    CHECK(refusal(request) == "reference-crashed");
  }
}

TEST_CASE("NaN among the candidate's weights is found though no output shows it") {
  const SavedModel model("return torch.relu(x)");
  auto request = request_for(model);
  // Of what is NaN nothing is left: the maximum that a fused operator takes drops it.
  SavedModel other("return torch.relu(x) + torch.nan_to_num(self.w.sum())", at::full({3}, NAN));
  request.candidate = other.file();
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::different);
  CHECK(incidents(result) == std::vector<std::string>{"nan-weights"});
  SECTION("not where the reference has it too") {
    request.reference = other.file();
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
  SECTION("not where it may have come from a number of the reference's code") {
    const SavedModel writes_nan("return torch.relu(x) + torch.nan_to_num(x * float('nan'))");
    request.reference = writes_nan.file();
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
}

TEST_CASE("a TorchScript file that fails or hangs is a finding, as it is and compiled") {
  const SavedModel model("return x + 1");
  for (const auto* backend : {"eager", "ts"}) {
    CAPTURE(backend);
    auto request = request_for(model);
    request.backend = backend;
    SECTION(std::string(backend) + " fails") {
      const SavedModel other("assert bool(x.sum() < -1e9)\n  return x + 1");
      request.candidate = other.file();
      const auto result = run_verification(request);
      CHECK(result.status == VerifyStatus::crashed);
      CHECK(incidents(result) == std::vector<std::string>{"crash"});
    }
    SECTION(std::string(backend) + " hangs") {
      const SavedModel other("i = 0\n  while i >= 0:\n    i += 1 if bool(x.sum() > -1e9) else 0\n"
                             "  return x + i");
      request.candidate = other.file();
      request.timeout = std::chrono::seconds(5);
      const auto result = run_verification(request);
      CHECK(result.status == VerifyStatus::crashed);
      CHECK(incidents(result) == std::vector<std::string>{"timeout"});
    }
  }
}

TEST_CASE("a candidate that writes into its inputs is a finding") {
  const SavedModel model("return x + 1"), other("return x.add_(1)");
  for (const auto* backend : {"eager", "ts"}) {
    CAPTURE(backend);
    auto request = request_for(model);
    request.candidate = other.file();
    request.backend = backend;
    CHECK(incidents(run_verification(request)) == std::vector<std::string>{"inputs-changed"});
  }
}

TEST_CASE("a candidate that differs from itself is a finding") {
  const SavedModel model("return x + 1"), other("return x + 1 + torch.rand_like(x) * 1e-9");
  auto request = request_for(model);
  request.inputs.specs = {"x=2x3:float64"};
  SECTION("a file as it is") { request.candidate = other.file(); }
  SECTION("a file compiled") {
    request.candidate = other.file();
    request.backend = "ts";
  }
  SECTION("a program") {
    const auto folder = model.folder().string();
    request.command = "cp {inputs} {outputs}; if [ -e " + folder + "/seen ]; then cp " + folder +
                      "/other.npz {outputs}; fi; touch " + folder + "/seen";
    const std::vector<double> zeros(6, 0.0);
    write_npz(model.folder() / "other.npz",
              {{"y", make_tensor(DType::float64, {2, 3}, zeros.data())}});
  }
  const auto result = run_verification(request);
  const auto found = incidents(result);
  CHECK(std::find(found.begin(), found.end(), "not-deterministic") != found.end());
  CHECK(result.status == VerifyStatus::different);
}

#ifdef MODEL_VALIDATOR_HAS_ONNXRUNTIME
TEST_CASE("an ONNX file that fails, or differs from itself, is a finding") {
  const SavedModel model("return x + 1");
  const auto file = model.folder() / "model.onnx";
  auto request = request_for(model);
  request.candidate = file;
  testing::SmallOnnx onnx{{{"x", {2, 3}, {}}}, {{"one", {1}, {1}}}, {}, {"y"}};
  SECTION("it fails") {
    // Three squared is not two times three.
    onnx.nodes = {{"MatMul", {"x", "x"}, "y"}};
    onnx.inputs[0].shape = {-1, -1};
    testing::write_onnx(file, onnx);
    const auto result = run_verification(request);
    CHECK(result.status == VerifyStatus::crashed);
    CHECK(incidents(result) == std::vector<std::string>{"crash"});
  }
  SECTION("it differs from itself") {
    onnx.nodes = {{"RandomNormalLike", {"x"}, "noise"}, {"Add", {"x", "noise"}, "y"}};
    testing::write_onnx(file, onnx);
    const auto found = incidents(run_verification(request));
    CHECK(found == std::vector<std::string>{"not-deterministic"});
  }
  SECTION("it is right") {
    onnx.nodes = {{"Add", {"x", "one"}, "y"}};
    testing::write_onnx(file, onnx);
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
}
#endif

TEST_CASE("stored results are compared with later, without inputs being given") {
  const SavedModel model, other("return x * 2, torch.sin(x) + 0.1");
  auto store = request_for(model);
  store.save_golden = model.folder() / "golden";
  CHECK(run_verification(store).status == VerifyStatus::same);
  auto request = request_for(model);
  request.inputs.specs = {};
  request.golden = store.save_golden;
  CHECK(run_verification(request).status == VerifyStatus::same);
  request.reference = other.file();
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::different);
  const auto report = nlohmann::json::parse(result.output);
  CHECK(report["reference"] == store.save_golden.string());
  CHECK(report["reference_backend"] == "stored results");
  CHECK(report["candidate"] == other.file().string());
  CHECK(report["outputs"][1]["metrics"]["reference_max"] < 1);
  request.inputs.specs = {"x=2x3"};
  CHECK(refusal(request) == "usage");
}

TEST_CASE("a model that crashes is the candidate of stored results") {
  const SavedModel model("return x + 1");
  auto store = request_for(model);
  store.save_golden = model.folder() / "golden";
  CHECK(run_verification(store).status == VerifyStatus::same);
  auto request = request_for(model);
  request.inputs.specs = {};
  request.golden = store.save_golden;
  request.reference = save_crashing_model(model.folder(), request);
  CHECK(incidents(run_verification(request)) == std::vector<std::string>{"crash"});
}

TEST_CASE("stored results are held to the noise of the model at hand, not to its faults") {
  const SavedModel model("return x + 10000 - 10000"), rounded("return x * 1"),
      faulty("return x * 1.01");
  auto store = request_for(rounded);
  store.save_golden = model.folder() / "golden";
  CHECK(run_verification(store).status == VerifyStatus::same);
  auto request = request_for(model);
  request.inputs.specs = {};
  request.golden = store.save_golden;
  CHECK(run_verification(request).status == VerifyStatus::same);
  request.reference = faulty.file();
  CHECK(run_verification(request).status == VerifyStatus::different);
}

TEST_CASE("a tolerance names an output, or is refused") {
  const SavedModel model("return {'logits': x * 2, 'probs': torch.sin(x)}");
  auto request = request_for(model);
  request.backend = "ts";
  for (auto VerifyRequest::*option :
       {&VerifyRequest::rtol, &VerifyRequest::atol, &VerifyRequest::pcc}) {
    request.*option = "nonsense=1e-12";
    CHECK(refusal(request) == "bad-tolerance");
    request.*option = "logits=0.5,1=0.5";
    CHECK(refusal(request) == "accepted");
    request.*option = std::nullopt;
  }
}

TEST_CASE("a tolerance that the checker does not use is refused") {
  const SavedModel model;
  auto request = request_for(model);
  request.backend = "ts";
  request.rtol = "1e-3";
  for (const char* checker : {"exact", "same"}) {
    request.checker = checker;
    CHECK(refusal(request) == "usage");
  }
  request.checker = "allclose";
  CHECK(refusal(request) == "accepted");
  request.pcc = "0.9";
  CHECK(refusal(request) == "usage");
}

TEST_CASE("a program's own words are shown where it fails") {
  const SavedModel model;
  auto request = request_for(model);
  SECTION("it ends with an error") {
    request.command = "true {inputs} {outputs}; echo no such device >&2; exit 3";
  }
  SECTION("it leaves nothing") { request.command = "true {inputs} {outputs}; echo no such device"; }
  SECTION("it leaves no archive") {
    request.command = "true {inputs}; echo no such device | tee {outputs}";
  }
  const auto report = nlohmann::json::parse(run_verification(request).output);
  CHECK_THAT(report["incidents"][0]["message"].get<std::string>(),
             Catch::Contains("; it printed\nno such device"));
}

TEST_CASE("an output that does not depend on the inputs shows in a second sample") {
  const SavedModel model("return x * 2, torch.sin(x)");
  auto request = request_for(model);
  request.backend = "ts";
  const auto notes = [&] {
    return nlohmann::json::parse(run_verification(request).output)["notes"].dump();
  };
  CHECK_THAT(notes(), Catch::Contains("one sample"));
  request.inputs.samples = 2;
  CHECK_THAT(notes(), !Catch::Contains("one sample"));
#ifdef MODEL_VALIDATOR_HAS_OPENVINO
  // Recorded with the first sample, the number is a constant.
  const SavedModel frozen("return x + float(x[0, 0].item())");
  request.reference = frozen.file();
  request.backend = "openvino";
  CHECK(run_verification(request).status == VerifyStatus::different);
  request.inputs.samples = 1;
  CHECK(run_verification(request).status == VerifyStatus::same);
#endif
}

TEST_CASE("the tightest tolerance is reported") {
  const SavedModel model, other("return x * 2, torch.sin(x) * 1.00001");
  auto request = request_for(model);
  request.candidate = other.file();
  request.auto_tolerance = true;
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::same);
  CHECK_THAT(result.output, Catch::Contains("--rtol 1"));
}

#ifdef MODEL_VALIDATOR_HAS_ONNXRUNTIME
TEST_CASE("outputs of ONNX files are matched by their names") {
  const ScratchFolder folder;
  testing::SmallOnnx model;
  model.inputs = {{"x", {2, 3}, {}}};
  model.weights = {{"two", {1}, {2.F}}};
  model.nodes = {{"Mul", {"x", "two"}, "boxes"}, {"Sin", {"x"}, "scores"}};
  model.outputs = {"boxes", "scores"};
  write_onnx(folder.path() / "reference.onnx", model);
  VerifyRequest request;
  request.reference = folder.path() / "reference.onnx";
  request.candidate = folder.path() / "candidate.onnx";
  request.inputs.specs = {"x=2x3"};
  request.threads = 1;
  SECTION("in another order they are the same") {
    model.outputs = {"scores", "boxes"};
    write_onnx(request.candidate, model);
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
  SECTION("under each other's names they differ") {
    model.nodes = {{"Mul", {"x", "two"}, "scores"}, {"Sin", {"x"}, "boxes"}};
    model.outputs = {"scores", "boxes"};
    write_onnx(request.candidate, model);
    CHECK(run_verification(request).status == VerifyStatus::different);
  }
  SECTION("with other names they are matched by position") {
    model.nodes = {{"Mul", {"x", "two"}, "first"}, {"Sin", {"x"}, "second"}};
    model.outputs = {"first", "second"};
    write_onnx(request.candidate, model);
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
}

TEST_CASE("a size that the candidate's file does not take is refused before anything runs") {
  const SavedModel model("return x * 2");
  testing::SmallOnnx doubled;
  doubled.inputs = {{"x", {2, 3}, {}}};
  doubled.weights = {{"two", {1}, {2.F}}};
  doubled.nodes = {{"Mul", {"x", "two"}, "y"}};
  doubled.outputs = {"y"};
  auto request = request_for(model);
  request.candidate = model.folder() / "candidate.onnx";
  write_onnx(request.candidate, doubled);
  CHECK(refusal(request) == "accepted");
  request.inputs.specs = {"x=4x3"};
  CHECK(refusal(request) == "bad-inputs");
}

TEST_CASE("the noise of an ONNX reference is measured by moving its weights") {
  const ScratchFolder folder;
  testing::SmallOnnx model;
  model.inputs = {{"x", {2, 3}, {}}};
  model.weights = {{"large", {1}, {10000.F}}, {"less", {1}, {9999.9F}}};
  model.nodes = {
      {"Mul", {"x", "large"}, "a"}, {"Mul", {"x", "less"}, "b"}, {"Sub", {"a", "b"}, "y"}};
  model.outputs = {"y"};
  write_onnx(folder.path() / "reference.onnx", model);
  VerifyRequest request;
  request.reference = folder.path() / "reference.onnx";
  request.candidate = folder.path() / "candidate.onnx";
  request.inputs.specs = {"x=2x3"};
  request.threads = 1;
  const auto status_against = [&](float factor) {
    auto other = model;
    other.weights.clear();
    other.weights.push_back({"factor", {1}, {factor}});
    other.nodes.clear();
    other.nodes.push_back({"Mul", {"x", "factor"}, "y"});
    write_onnx(request.candidate, other);
    return run_verification(request).status;
  };
  for (const bool advised : {false, true}) {
    request.auto_tolerance = advised;
    CHECK(status_against(0.1F) == VerifyStatus::same);
    CHECK(status_against(0.2F) == VerifyStatus::different);
  }
  request.output_format = "json";
  const auto output = nlohmann::json::parse(run_verification(request).output)["outputs"][0];
  CHECK(output["noise"].get<double>() > 1e-4);
}
#endif

TEST_CASE("advice on tolerances changes no verdict") {
  struct Pair {
    std::string reference, candidate;
    VerifyStatus status;
  };
  const std::string tanh_in_half =
      "h = torch.tanh(x.to(5) * 1.5)\n  return torch.tanh(h * 3).to(6)";
  const std::string tanh = "h = torch.tanh(x * 1.5)\n  return torch.tanh(h * 3)";
  const Pair pairs[] = {
      {"return torch.sigmoid(x - 12)", "return 1 / (1 + torch.exp(12 - x))", VerifyStatus::same},
      {"return x + 10000 - 10000", "return x * 1", VerifyStatus::same},
      {"return x + 10000 - 10000", "return x * 1.5", VerifyStatus::different},
      {tanh, tanh_in_half, VerifyStatus::same},
      {tanh, "return torch.tanh(torch.tanh(x.to(5) * 1.6) * 3).to(6)", VerifyStatus::different},
  };
  for (const Pair& pair : pairs) {
    const SavedModel reference(pair.reference), candidate(pair.candidate);
    auto request = request_for(reference);
    request.candidate = candidate.file();
    for (const bool advised : {false, true}) {
      request.auto_tolerance = advised;
      INFO(pair.candidate << (advised ? " with advice" : ""));
      CHECK(run_verification(request).status == pair.status);
    }
  }
}

namespace {

std::size_t moved_runs_of(const VerifyRequest& request) {
  const ComparedPair pair = *open_pair(request);
  const RunResults reference = run_reference(pair);
  return ReferenceReruns(pair, reference).perturbed().size();
}

} // namespace

TEST_CASE("a reference is moved twice, and eight times where it rounds to steps") {
  const SavedModel smooth,
      stepped("return torch.fake_quantize_per_tensor_affine(x, 0.1, 0, 0, 255)");
  for (const SavedModel* model : {&smooth, &stepped}) {
    auto request = request_for(*model);
    request.backend = "eager";
    CHECK(moved_runs_of(request) == (model == &smooth ? 2 : 8));
  }
}

TEST_CASE("no tolerance is offered that would silence what noise does not explain") {
  const SavedModel model, other("return x * 2, torch.sin(x) * 1.5");
  auto request = request_for(model);
  request.candidate = other.file();
  request.auto_tolerance = true;
  const auto advice = nlohmann::json::parse(run_verification(request).output)["advice"];
  CHECK(advice[1]["flags"] == "");
  CHECK_THAT(advice[1]["message"].get<std::string>(), Catch::Contains("no tolerance is offered"));
}

namespace {

/// A model that adds its input to half of what it keeps.
class StatefulModel {
public:
  explicit StatefulModel(const std::string& body) {
    auto module = scripted("");
    module.register_buffer("buffer", at::zeros({2, 3}));
    module.register_attribute("state", c10::TensorType::get(), at::zeros({2, 3}));
    module.register_parameter("weight", at::ones({2, 3}), false);
    define(module, "def forward(self, x):\n  " + body);
    module.register_attribute("training", c10::BoolType::get(), false);
    module.save(file().string());
  }
  std::filesystem::path file() const { return folder_.path() / "model.pt"; }

private:
  ScratchFolder folder_;
};

constexpr const char* sets_attribute = "self.state = self.state * 0.5 + x\n  return self.state * 2";
constexpr const char* writes_buffer = "self.buffer.mul_(0.5).add_(x)\n  return self.buffer * 2";
constexpr const char* writes_parameter = "self.weight.mul_(0.5)\n  return self.weight * x";
constexpr const char* keeps_nothing = "return x * 2";

VerifyRequest request_for(const StatefulModel& model) {
  VerifyRequest request;
  request.reference = model.file();
  request.inputs.specs = {"x=2x3"};
  request.output_format = "json";
  request.threads = 1;
  return request;
}

} // namespace

TEST_CASE("a model that keeps state is called several times, from the state of its file") {
  for (const auto* body : {sets_attribute, writes_buffer}) {
    CAPTURE(body);
    const StatefulModel model(body);
    for (const auto* backend : {"eager", "ts"}) {
      CAPTURE(backend);
      auto request = request_for(model);
      request.backend = backend;
      request.inputs.specs = {"x=2x3:float32:1..1"};
      request.inputs.samples = 2;
      const auto result = run_verification(request);
      const auto report = nlohmann::json::parse(result.output);
      CHECK(result.status == VerifyStatus::same);
      CHECK(report["steps"] == 3);
      REQUIRE(report["outputs"].size() == 6);
      CHECK(report["outputs"][4]["sample"] == 1);
      CHECK(report["outputs"][4]["step"] == 2);
      // The state has grown from call to call, and is back at the start for the next sample.
      const auto greatest = [&](int call) {
        return report["outputs"][call]["metrics"]["reference_max"].get<double>();
      };
      CHECK(greatest(1) == Approx(1.5 * greatest(0)));
      CHECK(greatest(4) == Approx(1.5 * greatest(3)));
    }
  }
}

TEST_CASE("what a call writes into a parameter does not reach the next run") {
  const StatefulModel model(writes_parameter);
  for (const std::size_t steps : {1, 3})
    for (const auto* backend : {"eager", "ts"}) {
      CAPTURE(steps, backend);
      auto request = request_for(model);
      request.backend = backend;
      request.steps = steps;
      request.inputs.samples = 2;
      const auto result = run_verification(request);
      CHECK(result.status == VerifyStatus::same);
      CHECK(incidents(result).empty());
    }
}

TEST_CASE("a candidate that keeps state though the reference keeps none is different") {
  const StatefulModel model(keeps_nothing), stateful(sets_attribute);
  auto request = request_for(model);
  request.candidate = stateful.file();
  const auto result = run_verification(request);
  const auto report = nlohmann::json::parse(result.output);
  CHECK(result.status == VerifyStatus::different);
  CHECK(report["steps"] == 3);
  CHECK(report["outputs"][0]["passed"] == true);
  CHECK(incidents(result) == std::vector<std::string>{"state-kept"});
  SECTION("state that no result depends on does not matter") {
    const StatefulModel unread("self.state = x\n  return x * 2");
    request.candidate = unread.file();
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
}

TEST_CASE("a candidate that loses the state is different from the second step on") {
  const StatefulModel model(sets_attribute), stateless(keeps_nothing);
  auto request = request_for(model);
  request.candidate = stateless.file();
  request.localize = true;
  const auto result = run_verification(request);
  const auto report = nlohmann::json::parse(result.output);
  CHECK(result.status == VerifyStatus::different);
  CHECK(incidents(result) == std::vector<std::string>{"state-lost"});
  CHECK(report["outputs"][0]["passed"] == true);
  CHECK(report["outputs"][1]["passed"] == false);
  CHECK_THAT(result.output, Catch::Contains("looked for in step 2"));
  SECTION("one call alone does not show it") {
    request.steps = 1;
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
}

#ifdef MODEL_VALIDATOR_HAS_ONNXRUNTIME
namespace {

/// What a stateful model becomes where its state is an input and an output.
/// @param last  what is done to the state before it is returned
testing::SmallOnnx with_state_outside(const std::string& last) {
  return {{{"x", {2, 3}, {}}, {"state_in", {2, 3}, {}}},
          {{"half", {1}, {0.5F}}, {"two", {1}, {2}}},
          {{"Mul", {"state_in", "half"}, "less"},
           {"Add", {"less", "x"}, "kept"},
           {"Mul", {"kept", "two"}, "y"},
           {last, {"kept"}, "state_out"}},
          {"y", "state_out"}};
}

} // namespace

TEST_CASE("state that one model keeps may be an input and an output of the other") {
  const StatefulModel model(sets_attribute);
  const ScratchFolder folder;
  const auto file = folder.path() / "outside.onnx";
  auto request = request_for(model);
  request.candidate = file;
  write_onnx(file, with_state_outside("Identity"));
  SECTION("it is given back, whichever of the two is the reference") {
    const auto result = run_verification(request);
    CHECK(result.status == VerifyStatus::same);
    CHECK(result.report.steps == 3);
    CHECK(result.report.outputs.size() == 3);
    CHECK_THAT(result.output, Catch::Contains("`state` is `state_in`"));
    request.reference = file;
    request.candidate = model.file();
    CHECK(run_verification(request).status == VerifyStatus::same);
    request.steps = 5;
    CHECK(run_verification(request).report.outputs.size() == 5);
  }
  SECTION("another state than the next call needs differs from the second step on") {
    write_onnx(file, with_state_outside("Neg"));
    const auto result = run_verification(request);
    CHECK(result.status == VerifyStatus::different);
    CHECK(incidents(result).empty());
    CHECK(result.report.outputs[0].passed());
    CHECK_FALSE(result.report.outputs[1].passed());
  }
  SECTION("it starts from what the file holds") {
    const StatefulModel begun("self.weight.mul_(0.5).add_(x)\n  return self.weight * 2");
    request.reference = begun.file();
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
  SECTION("a model that keeps nothing gives no state") {
    const StatefulModel stateless(keeps_nothing);
    request.reference = stateless.file();
    CHECK(run_verification(request).status == VerifyStatus::different);
  }
}

TEST_CASE("whole numbers of one model are numbers of the other") {
  const ScratchFolder folder;
  testing::SmallOnnx model{
      {{"x", {2, 3}, {}}}, {{"half", {}, {0.5F}}}, {{"Mul", {"x", "half"}, "y"}}, {"y"}};
  VerifyRequest request;
  request.reference = folder.path() / "numbers.onnx";
  request.candidate = folder.path() / "bytes.onnx";
  request.output_format = "json";
  request.threads = 1;
  write_onnx(request.reference, model);
  constexpr int uint8 = 2;
  model.inputs[0].type = uint8;
  model.nodes[0].op = "DequantizeLinear";
  write_onnx(request.candidate, model);
  for (const auto& specs : {std::vector<std::string>{}, {"x=2x3"}, {"x=2x3:uint8:0..255"}}) {
    request.inputs.specs = specs;
    CHECK(run_verification(request).status == VerifyStatus::same);
  }
  request.inputs.specs.clear();
  std::swap(request.reference, request.candidate);
  CHECK(run_verification(request).status == VerifyStatus::same);
}
#endif

#ifdef MODEL_VALIDATOR_HAS_OPENVINO
TEST_CASE("OpenVINO is seen to lose an attribute's state") {
  for (const auto* body : {sets_attribute, writes_buffer, writes_parameter}) {
    CAPTURE(body);
    const StatefulModel model(body);
    auto request = request_for(model);
    request.backend = "openvino";
    CHECK(incidents(run_verification(request)) == std::vector<std::string>{"state-lost"});
  }
}
#endif

TEST_CASE("what calls of a model with state gave is stored call by call") {
  const StatefulModel model(sets_attribute), stateless(keeps_nothing);
  auto store = request_for(model);
  const ScratchFolder folder;
  store.save_golden = folder.path() / "golden";
  CHECK(run_verification(store).status == VerifyStatus::same);
  auto request = request_for(model);
  request.inputs.specs = {};
  request.golden = store.save_golden;
  CHECK(run_verification(request).status == VerifyStatus::same);
  request.reference = stateless.file();
  CHECK(run_verification(request).status == VerifyStatus::different);
}

TEST_CASE("each call of a model that keeps state gets other values") {
  const StatefulModel model(sets_attribute);
  auto request = request_for(model);
  const ScratchFolder folder;
  request.save_golden = folder.path() / "golden";
  CHECK(run_verification(request).status == VerifyStatus::same);
  const auto golden = read_golden(request.save_golden);
  REQUIRE(golden.samples.size() == 3);
  CHECK_FALSE(same_tensors(golden.samples[0].inputs, golden.samples[1].inputs));
  CHECK_FALSE(same_tensors(golden.samples[1].inputs, golden.samples[2].inputs));
}

TEST_CASE("a model without state is called once") {
  const StatefulModel model(keeps_nothing);
  auto request = request_for(model);
  request.backend = "ts";
  CHECK(nlohmann::json::parse(run_verification(request).output)["steps"] == 1);
}

TEST_CASE("code that names a GPU runs on the CPU, and a note says so") {
  const auto notes_of = [](const std::string& device) {
    const SavedModel model("return x + torch.zeros([3], device='" + device + "')");
    auto request = request_for(model);
    request.backend = "ts";
    const auto report = nlohmann::json::parse(run_verification(request).output);
    CHECK(report["passed"] == true);
    return report["notes"].dump();
  };
  CHECK_THAT(notes_of("cuda:1"), Catch::Contains("made for a GPU"));
  CHECK_THAT(notes_of("cpu"), !Catch::Contains("GPU"));
}

TEST_CASE("a request that makes no sense is refused") {
  const SavedModel model;
  auto request = request_for(model);
  CHECK(refusal(request) == "usage");
  request.backend = "ts";
  request.command = "./run {inputs} {outputs}";
  CHECK(refusal(request) == "usage");
  request.command.clear();
  for (const auto* device : {"cuda", "tpu"}) {
    request.device = device;
    if (device == std::string("cuda") && at::globalContext().hasCUDA()) continue;
    CHECK(refusal(request) == "no-device");
  }
  request.device = "cpu";
  request.inputs.specs.clear();
  CHECK(refusal(request) == "missing-input");
  request = request_for(model);
  request.backend = "tensorrt";
  CHECK(refusal(request) == "unknown-backend");
  request.backend = "ts:CUDAExecutionProvider";
  CHECK(refusal(request) == "usage");
  request = request_for(model);
  request.candidate = model.file();
  request.reference = model.folder() / "model.txt";
  std::ofstream(request.reference) << "no model\n";
  CHECK(refusal(request) == "unknown-format");
}

#ifdef MODEL_VALIDATOR_HAS_ONNXRUNTIME
namespace {

testing::SmallOnnx two_outputs() {
  return {{{"x", {2, 3}, {}}, {"y", {2, 3}, {}}},
          {},
          {{"Add", {"x", "y"}, "sum"}, {"Sigmoid", {"sum"}, "probability"}},
          {"sum", "probability"}};
}

} // namespace

TEST_CASE("outputs of an ONNX file have the names that the file gives them") {
  const ScratchFolder folder;
  const auto file = folder.path() / "model.onnx";
  testing::write_onnx(file, two_outputs());
  VerifyRequest request;
  request.reference = file;
  request.backend = "onnxruntime";
  request.output_format = "json";
  request.rtol = "probability=1e-3";
  const auto report = nlohmann::json::parse(run_verification(request).output);
  CHECK(report["outputs"][0]["name"] == "sum");
  CHECK(report["outputs"][1]["name"] == "probability");
  CHECK(report["reference_backend"] == "onnxruntime without optimisations");
  request.rtol = "nonsense=1e-3";
  CHECK(refusal(request) == "bad-tolerance");
}

TEST_CASE("a provider of ONNX Runtime is named with the backend") {
  const ScratchFolder folder;
  VerifyRequest request;
  request.reference = folder.path() / "model.onnx";
  testing::write_onnx(request.reference, two_outputs());
  request.output_format = "json";
  request.backend = "onnxruntime:CPUExecutionProvider";
  const auto report = nlohmann::json::parse(run_verification(request).output);
  CHECK(report["passed"] == true);
  CHECK(report["backend"] == request.backend);
  CHECK_THAT(report["notes"].dump(), !Catch::Contains("driver"));
  request.backend = "onnxruntime:NoSuchProvider";
  CHECK(refusal(request) == "backend-missing");
}

TEST_CASE("ONNX Runtime is compared with what it computes without optimisations") {
  const ScratchFolder folder;
  const auto file = folder.path() / "model.onnx";
  const auto weight = [](const std::string& name, const std::vector<std::int64_t>& shape) {
    const at::Tensor values = at::rand(shape) + 0.5;
    const auto* data = values.const_data_ptr<float>();
    return testing::SmallOnnx::Tensor{name, shape, {data, data + values.numel()}};
  };
  testing::write_onnx(file,
                      {{{"x", {1, 3, 9, 9}, {}}},
                       {weight("w", {4, 3, 3, 3}), weight("gain", {4}), weight("bias", {4}),
                        weight("mean", {4}), weight("variance", {4})},
                       {{"Conv", {"x", "w"}, "c"},
                        {"BatchNormalization", {"c", "gain", "bias", "mean", "variance"}, "y"}},
                       {"y"}});
  VerifyRequest request;
  request.reference = file;
  request.backend = "onnxruntime";
  request.output_format = "json";
  const auto result = run_verification(request);
  CHECK(result.status == VerifyStatus::same);
  // It folds the normalisation into the convolution, and rounds otherwise.
  CHECK(nlohmann::json::parse(result.output)["outputs"][0]["metrics"]["max_abs"] > 0);
}

TEST_CASE("inputs that nobody gave are named in the report") {
  const ScratchFolder folder;
  const auto file = folder.path() / "model.onnx";
  testing::write_onnx(file, two_outputs());
  VerifyRequest request;
  request.reference = file;
  request.backend = "onnxruntime";
  request.output_format = "json";
  const auto notes = [&] {
    return nlohmann::json::parse(run_verification(request).output)["notes"].dump();
  };
  CHECK_THAT(notes(), Catch::Contains("made up: `x` [2, 3] float32, `y` [2, 3] float32;"));
  request.inputs.specs = {"y=2x3"};
  CHECK_THAT(notes(), Catch::Contains("made up: `x` [2, 3] float32;"));
  request.inputs.specs = {"x=2x3", "y=2x3"};
  CHECK_THAT(notes(), !Catch::Contains("made up"));
}
#endif

TEST_CASE("the weights of an ExecuTorch program are compared with the reference's one by one") {
  const at::Tensor own = at::tensor({0.4, -1.2, 1.6, 8.9, 9.1, -254.0}, at::kFloat).view({2, 3});
  const auto fit = [&](std::vector<std::int8_t> stored) {
    const SavedModel saved("return torch.matmul(x, self.w.t())", own);
    auto weight = test::small_pte::linear();
    weight.data = test::small_pte::bytes_of(stored);
    const auto program = saved.folder() / "net.pte";
    std::ofstream(program, std::ios::binary) << test::small_pte::program(weight);
    ModelFile reference;
    reference.path = saved.file();
    return fit_stored_weights(reference, program);
  };
  const auto honest = fit({1, -2, 3, 4, 5, -127});
  CHECK(honest.stored == 1);
  CHECK(honest.fitting == 1);
  CHECK(honest.misfits.empty());
  const auto turned = fit({-1, 2, -3, 4, 5, -127});
  CHECK(turned.fitting == 0);
  REQUIRE(turned.misfits.size() == 1);
  CHECK(turned.misfits[0].layer == "XNNFullyConnected 0");
  CHECK(turned.misfits[0].own == "w");
}
