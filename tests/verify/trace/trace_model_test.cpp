#include "connected_graph/torchscript/modules.h"
#include "files/scratch_folder.h"
#include "verify/trace/trace_model.h"
#include "verify/trace/tracer.h"

#include <model_validator/error.h>

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

#include <functional>
#include <set>

using namespace model_validator;
using namespace model_validator::verify;

namespace {

using Shape = std::vector<std::int64_t>;

Value floats(const Shape& shape) { return {random_tensor(DType::float32, shape, 1)}; }
Value integers(const Shape& shape) { return {random_tensor(DType::int64, shape, 1)}; }

TracedGraph traced(const torch::jit::Module& module, const std::vector<Sample>& samples,
                   TraceOptions options = {}) {
  torchscript::NodeMap map;
  GraphBuilder graph = torchscript::build_graph(module, {}, &map);
  Trace trace = trace_model(module, map, samples, options, graph);
  return {std::move(graph), std::move(trace)};
}

OpId id_of(const TracedGraph& traced, const std::string& name) {
  const ConnectedGraph& graph = traced.graph;
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (graph.op(id).name == name) return id;
  throw std::runtime_error("no op " + name);
}

/// The type of what flows between two ops.
TensorType between(const TracedGraph& traced, const std::string& from, const std::string& to) {
  const auto& graph = traced.graph.graph();
  const auto edge = boost::edge(id_of(traced, from), id_of(traced, to), graph);
  if (!edge.second) throw std::runtime_error("no product from " + from + " to " + to);
  return graph[edge.first].type;
}

TensorType output_of(const TracedGraph& traced, const std::string& name, std::size_t i = 0) {
  return traced.graph.op(id_of(traced, name)).outputs.at(i);
}

std::size_t runs_of(const TracedGraph& traced, const std::string& name) {
  return traced.trace.runs.at(id_of(traced, name)).value();
}

TensorType known(Shape shape, const std::string& dtype = "float32") {
  return {std::move(shape), dtype};
}

const RegionOutcome& outcome_of(const TracedGraph& traced, const std::string& label) {
  for (RegionId id = 0; id < traced.graph.regions().size(); ++id)
    if (traced.graph.regions()[id].label() == label) return traced.trace.outcomes.at(id).value();
  throw std::runtime_error("no region " + label);
}

Error failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::internal_error, "", "nothing was thrown");
}

} // namespace

TEST_CASE("a trace gives every product its shape and dtype") {
  const auto module = test::network({{"fc", test::linear(at::ones({8, 4}))}}, R"(
def forward(self, x):
    y = self.fc.forward(x).argmax(-1)
    return torch.relu(x), y
)");
  const auto graph = traced(module, {{floats({2, 4})}});
  CHECK(output_of(graph, "x") == known({2, 4}));
  CHECK(between(graph, "x", "linear_0") == known({2, 4}));
  CHECK(between(graph, "linear_0", "argmax_0") == known({2, 8}));
  CHECK(between(graph, "relu_0", "output_0") == known({2, 4}));
  CHECK(between(graph, "argmax_0", "output_1") == known({2}, "int64"));
  CHECK(graph.trace.samples == 1);
  CHECK(graph.trace.ended_by.empty());
}

TEST_CASE("a module that is called twice has two ops with shapes of their own") {
  const auto inner = test::module_of("__torch__.net.Block", R"(
def forward(self, x):
    return torch.relu(x) + 1
)");
  const auto module = test::network({{"block", inner}}, R"(
def forward(self, x):
    return self.block.forward(x).sum() + self.block.forward(x[0]).sum()
)");
  const auto graph = traced(module, {{floats({2, 3})}});
  CHECK(between(graph, "relu_0", "add_0") == known({2, 3}));
  CHECK(between(graph, "relu_1", "add_1") == known({3}));
}

TEST_CASE("a leaf is typed from outside, and its operators learn their dtypes") {
  const auto module = test::network({{"fc", test::linear(at::ones({8, 4}))}}, R"(
def forward(self, x):
    return self.fc.forward(x)
)");
  const auto graph = traced(module, {{floats({2, 4})}});
  const Op& op = graph.graph.op(id_of(graph, "linear_0"));
  REQUIRE(op.body->size() == 1);
  CHECK(op.body->front().dtypes == std::vector<std::string>{"float32", "float32"});
  CHECK(runs_of(graph, "linear_0") == 1);
}

TEST_CASE("an `if` says which arm was taken") {
  const auto module = test::network({}, R"(
def forward(self, x):
    if x.size(0) > 2:
        y = torch.relu(x)
    else:
        y = torch.tanh(x)
    return y
)");
  const auto graph = traced(module, {{floats({4, 3})}});
  CHECK(outcome_of(graph, "if@0.then").runs == 1);
  CHECK(outcome_of(graph, "if@0.else").runs == 0);
  CHECK(outcome_of(graph, "if@0.else").reached == 1);
  CHECK(runs_of(graph, "relu_0") == 1);
  CHECK(runs_of(graph, "tanh_0") == 0);
  CHECK_FALSE(output_of(graph, "tanh_0").shape);
  CHECK(between(graph, "if_0", "output_0") == known({4, 3}));

  const auto both = traced(module, {{floats({4, 3})}, {floats({1, 3})}});
  CHECK(outcome_of(both, "if@0.then").runs == 1);
  CHECK(outcome_of(both, "if@0.else").runs == 1);
  CHECK(both.trace.samples == 2);
}

TEST_CASE("a loop shows its iterations, and sizes that change in it become ranges") {
  const auto module = test::network({}, R"(
def forward(self, x, n: int):
    for i in range(n):
        x = torch.cat([x, x], 0)
    return x
)");
  const auto graph = traced(module, {{floats({2, 3}), Value{std::int64_t{3}}}});
  CHECK(outcome_of(graph, "loop@0").fewest == 3);
  CHECK(outcome_of(graph, "loop@0").most == 3);
  CHECK(runs_of(graph, "cat_0") == 3);
  CHECK(output_of(graph, "cat_0") == known({-1, 3}));
  CHECK(graph.trace.ranges.at({id_of(graph, "cat_0"), 0}) == SizeRanges{{4, 16}, {3, 3}});
  CHECK(between(graph, "loop_0", "output_0") == known({16, 3}));
  const auto none = traced(module, {{floats({2, 3}), Value{std::int64_t{0}}}});
  CHECK(outcome_of(none, "loop@0").most == 0);
  CHECK(runs_of(none, "cat_0") == 0);
}

TEST_CASE("a number of dimensions that changes is unknown") {
  const auto module = test::network({}, R"(
def forward(self, x):
    return torch.relu(x)
)");
  const auto graph = traced(module, {{floats({2, 3})}, {floats({2})}});
  CHECK_FALSE(output_of(graph, "relu_0").shape);
  CHECK(output_of(graph, "relu_0").dtype == "float32");
}

TEST_CASE("the elements of a list are outputs of their own") {
  const auto module = test::network({}, R"(
def forward(self, x):
    a, b = torch.split(x, 3)
    return torch.relu(a), torch.tanh(b)
)");
  const auto graph = traced(module, {{floats({5, 2})}});
  CHECK(between(graph, "split_0", "relu_0") == known({3, 2}));
  CHECK(between(graph, "split_0", "tanh_0") == known({2, 2}));
}

TEST_CASE("what is written through a view flows on whole") {
  const auto module = test::network({}, R"(
def forward(self, x):
    y = torch.relu(x)
    y[0].add_(1)
    return torch.tanh(y)
)");
  const auto graph = traced(module, {{floats({5, 2})}});
  CHECK(between(graph, "add_0", "tanh_0") == known({5, 2}));
}

TEST_CASE("a shape that only values decide ends a trace without them") {
  const auto module = test::network({}, R"(
def forward(self, x):
    y = torch.relu(x)
    z = torch.nonzero(y)
    return z + 1
)");
  const auto graph = traced(module, {{floats({5, 2})}});
  CHECK(between(graph, "relu_0", "nonzero_0") == known({5, 2}));
  CHECK_FALSE(graph.trace.runs.at(id_of(graph, "add_0")));
  CHECK_FALSE(output_of(graph, "add_0").shape);
  CHECK(graph.trace.samples == 0);
  CHECK(graph.trace.ended_at == id_of(graph, "nonzero_0"));
  CHECK(graph.trace.ended_by == "what `aten::nonzero` returns depends on the values of a tensor");

  const auto with_values = traced(module, {{floats({5, 2})}}, {{}, true});
  CHECK(with_values.trace.ended_by.empty());
  CHECK(output_of(with_values, "add_0").dtype == "int64");
}

TEST_CASE("integers keep their values, so that shapes can be computed from them") {
  const auto module = test::network({}, R"(
def forward(self, x, sizes):
    n = int(sizes.max())
    return torch.zeros([n, x.size(1)])
)");
  const auto graph =
      traced(module, {{floats({5, 2}), {random_tensor(DType::int64, {4}, 1, ValueRange{7, 7})}}});
  CHECK(between(graph, "zeros_0", "output_0") == known({7, 2}));
}

TEST_CASE("inputs that the model cannot take are an error that names the op") {
  const auto module = test::network({{"fc", test::linear(at::ones({8, 4}))}}, R"(
def forward(self, x):
    return self.fc.forward(x)
)");
  const Error error = failure_of([&] { traced(module, {{floats({2, 5})}}); });
  CHECK(error.kind() == ErrorKind::run_failed);
  CHECK_THAT(error.what(), Catch::StartsWith("`aten::linear` in module `fc`"));
}

TEST_CASE("every sample finds the module as the first one did") {
  auto module = test::module_of("__torch__.net.Counter", "");
  module.register_attribute("calls", c10::IntType::get(), 1);
  module.define(R"(
def forward(self, x):
    self.calls = self.calls + 1
    return torch.cat([x] * self.calls, 0)
)");
  const auto graph = traced(module, {{floats({1, 2})}, {floats({1, 2})}});
  CHECK(output_of(graph, "cat_0") == known({2, 2}));
}

TEST_CASE("a run leaves the module's state as it was, with values and without") {
  auto module = test::module_of("__torch__.net.Counter", "");
  module.register_buffer("calls", at::zeros({1}, at::kLong));
  module.register_buffer("mean", at::ones({2}));
  module.register_attribute("seen", c10::ListType::ofInts(), c10::IValue(std::vector<int64_t>{}));
  module.register_attribute("kept", c10::ListType::ofTensors(),
                            c10::IValue(std::vector<at::Tensor>{at::zeros({1})}));
  module.define(R"(
def forward(self, x):
    self.calls.add_(1)
    self.mean.mul_(x)
    self.seen.append(int(self.calls))
    self.kept[0].add_(1)
    self.kept.append(x)
    return torch.cat([x] * len(self.seen) * int(self.calls) * len(self.kept), 0)
)");
  const auto mean = module.attr("mean").toTensor();
  for (const bool values : {false, true}) {
    const auto graph =
        traced(module, {{floats({2})}, {floats({2})}}, {.inputs = {}, .values = values});
    CHECK(output_of(graph, "cat_0") == known({4}));
    CHECK(module.attr("calls").toTensor().item<int>() == 0);
    CHECK(module.attr("mean").toTensor().is_same(mean));
    CHECK(mean.equal(at::ones({2})));
    CHECK(module.attr("seen").toListRef().empty());
    CHECK(module.attr("kept").toTensorVector().size() == 1);
    CHECK(module.attr("kept").toTensorVector()[0].item<float>() == 0);
  }
}

TEST_CASE("a model that does not finish is stopped") {
  const auto module = test::network({}, R"(
def forward(self, n: int):
    i = 0
    while i >= 0:
        i = i + 0 * n
    return i
)");
  const auto run = [&](std::size_t max_steps) {
    return failure_of([&] { traced(module, {{Value{std::int64_t{1}}}}, {{}, false, max_steps}); });
  };
  CHECK(run(1000).kind() == ErrorKind::too_long);
  CHECK(std::string(run(1000).what()).find("1000 steps") != std::string::npos);
}

TEST_CASE("rounds of a loop without operators count, and other runs of the model do not") {
  const auto module = test::network({}, R"(
def forward(self, n: int):
    last = n
    for i in range(n):
        last = i
    return last
)");
  const std::vector<Sample> samples{{Value{std::int64_t{60}}}, {Value{std::int64_t{60}}}};
  CHECK(traced(module, samples, {{}, false, 100}).trace.samples == 2);
  CHECK(failure_of([&] {
          traced(module, samples, {{}, false, 50});
        }).kind() == ErrorKind::too_long);
  CHECK(traced(module, samples, {{}, false, 0}).trace.samples == 2);
}

TEST_CASE("a dtype that comes from mixing is reported") {
  const auto module = test::network({}, R"(
def forward(self, x, i):
    return x * i, i * 2, i / 2
)");
  const auto graph = traced(module, {{floats({2}), integers({2})}});
  CHECK(between(graph, "mul_0", "output_0").dtype == "float32");
  CHECK(between(graph, "mul_1", "output_1").dtype == "int64");
  CHECK(between(graph, "div_0", "output_2").dtype == "float32");
}

TEST_CASE("nothing is guessed from what stands in for unknown values") {
  const char* bodies[] = {
      "    n = torch.zeros([2], dtype=4)\n"
      "    n[0] = x.argmax()\n"
      "    return torch.zeros([int(n.max())])\n",
      "    return torch.one_hot(x.argmax(-1))\n",
      "    return x.repeat_interleave(x.argmax(-1), 0)\n",
      "    return torch.where(x > 0)[0]\n",
      "    return x if bool(x.sum() > 0) else x[0]\n",
  };
  for (const char* body : bodies) {
    CAPTURE(body);
    const auto module = test::network({}, std::string("def forward(self, x):\n").append(body));
    CHECK_FALSE(traced(module, {{floats({3, 4})}}).trace.ended_by.empty());
  }
}

TEST_CASE("values that decide a shape are used where they are available") {
  const auto module = test::network({}, R"(
def forward(self, x, repeats, mask):
    return x.repeat_interleave(repeats, 0), x[mask], torch.one_hot(repeats).to(x.dtype) @ x
)");
  const Value twos{random_tensor(DType::int64, {3}, 1, ValueRange{2, 2})};
  const Value truth{random_tensor(DType::bool_, {3}, 1, ValueRange{1, 1})};
  const auto graph = traced(module, {{floats({3, 4}), twos, truth}});
  CHECK(between(graph, "repeat_interleave_0", "output_0") == known({6, 4}));
  CHECK(between(graph, "index_0", "output_1").shape->at(1) == 4);
  CHECK(between(graph, "matmul_0", "output_2") == known({3, 4}));
}

TEST_CASE("integers that would be too large have no bytes") {
  const auto module = test::network({}, R"(
def forward(self, ids):
    a = torch.arange(1000000000000)
    b = ids.unsqueeze(0) * ids.unsqueeze(1)
    return a, b, ids.repeat([1000, 1000])
)");
  const auto graph = traced(module, {{integers({100000})}});
  CHECK(between(graph, "arange_0", "output_0") == known({1000000000000}, "int64"));
  CHECK(between(graph, "mul_0", "output_1") == known({100000, 100000}, "int64"));
  CHECK(between(graph, "repeat_0", "output_2") == known({1000, 100000000}, "int64"));
}

TEST_CASE("quantized tensors have shapes, and values that are not used") {
  const auto module = test::network({}, R"(
def forward(self, x):
    q = torch.quantize_per_tensor(x, 0.1, 0, 13)
    y = torch.dequantize(torch.cat([q, q], 1))
    if bool(y.sum() > 0):
        y = y * 2
    return y
)");
  const auto graph = traced(module, {{floats({2, 3})}});
  CHECK(between(graph, "quantize_per_tensor_0", "cat_0") == known({2, 3}, "quint8"));
  CHECK(output_of(graph, "dequantize_0") == known({2, 6}));
  CHECK_THAT(graph.trace.ended_by, Catch::Contains("depends on the values"));
  const auto with_values = traced(module, {{floats({2, 3})}}, {{}, true});
  CHECK(output_of(with_values, "dequantize_0") == known({2, 6}));
  CHECK(with_values.trace.ended_by.empty());
}

TEST_CASE("a number that the model holds decides, one that it is given does not") {
  auto module = test::network({}, "");
  module.register_buffer("scale", at::full({1}, 3.0));
  module.define(R"(
def forward(self, x, y):
    x = x * self.scale
    return torch.zeros([int(self.scale)]) + x[:int(y)]
)");
  const auto graph = traced(module, {{floats({3}), floats({})}});
  CHECK(output_of(graph, "mul_0") == known({3}));
  CHECK(output_of(graph, "zeros_0") == known({3}));
  CHECK_THAT(graph.trace.ended_by, Catch::Contains("`aten::Int`"));
}

TEST_CASE("a dict of tensors is looked into by its keys") {
  const auto module = test::network({}, R"(
def forward(self, x):
    seen: Dict[str, Tensor] = {}
    for key in ["a", "b", "a"]:
        if key not in seen:
            seen[key] = x * 2
    return torch.cat([seen["a"], seen["b"]]), len(seen)
)");
  const auto graph = traced(module, {{floats({2, 3})}});
  CHECK(graph.trace.ended_by.empty());
  CHECK(output_of(graph, "cat_0") == known({4, 3}));
}

TEST_CASE("what a module's own code makes of its stored state is there when it is run") {
  auto module = test::network({}, "");
  module.register_attribute("weight", c10::TensorType::get(), at::ones({3}));
  module.define(R"(
def __getstate__(self):
    return (self.weight, self.training)
def __setstate__(self, state: Tuple[Tensor, bool]):
    self.weight = torch.cat([state[0], state[0]])
    self.training = state[1]
def forward(self, x):
    return torch.cat([x, self.weight])
)");
  const ScratchFolder folder;
  module.save((folder.path() / "packed.pt").string());
  TraceOptions options;
  options.inputs.specs = {"x=2"};
  const auto graph = trace_file(folder.path() / "packed.pt", options, {});
  CHECK(output_of(graph, "cat_0") == known({8}));
}

TEST_CASE("of a bare module of torch the one op takes the arguments and yields what is returned") {
  const TracedGraph graph = traced(test::linear(at::ones({4, 8})), {{floats({2, 8})}});
  CHECK(between(graph, "x", "linear_0") == known({2, 8}));
  CHECK(output_of(graph, "linear_0") == known({2, 4}));
  CHECK(between(graph, "linear_0", "output_0") == known({2, 4}));
  CHECK(runs_of(graph, "linear_0") == 1);
}

TEST_CASE("a recording keeps operators that ran and yielded tensors, no others") {
  const auto module = test::network({}, R"(
def forward(self, x):
    pieces = [x]
    if x.size(0) > 2:
        pieces.append(torch.relu(x))
    else:
        pieces.append(torch.tanh(x))
    return torch.cat(pieces)
)");
  const auto graph = traced(module, {{floats({4, 3})}});
  std::set<std::string> schemas;
  for (const auto& [op, schema] : graph.graph.recorded_operators) schemas.insert(schema);
  CHECK(schemas == std::set<std::string>{"aten::cat", "aten::relu"});
}
