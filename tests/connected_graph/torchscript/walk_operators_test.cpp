#include "modules.h"

#include <ATen/ops/ones.h>
#include <boost/graph/topological_sort.hpp>
#include <catch2/catch.hpp>

#include <iterator>

using namespace model_validator;
using namespace model_validator::test;

namespace {

using Names = std::vector<std::string>;

ConnectedGraph graph_of(const std::string& source) {
  return torchscript::build_graph(network({}, source));
}

/// Names of the ops that feed an op, by operand.
Names producers(const ConnectedGraph& graph, const std::string& name) {
  std::map<std::size_t, std::string> by_input;
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (graph.op(id).name == name)
      for (auto [e, end] = boost::in_edges(id, graph.graph()); e != end; ++e)
        by_input[graph.graph()[*e].input] = graph.graph()[*e].name;
  Names found;
  for (const auto& [input, producer] : by_input) found.push_back(producer);
  return found;
}

} // namespace

TEST_CASE("a leaf of torch.nn is one module op with the operators it stands for") {
  const auto net = network({{"fc", linear(at::ones({2, 2}))}},
                           "def forward(self, x):\n    return self.fc.forward(x)\n");
  const ConnectedGraph graph = torchscript::build_graph(net);
  CHECK(names(graph, OpKind::module) == Names{"linear_0"});
  CHECK(names(graph, OpKind::functional).empty());
  const Op& op = op_named(graph, "linear_0");
  REQUIRE(op.body);
  REQUIRE(op.body->size() == 1);
  CHECK(op.body->front().schema == "aten::linear");
  CHECK(graph.module_path(op.module) == "fc");
  CHECK(producers(graph, "linear_0") == Names{"x"});
}

TEST_CASE("a quantized module is a leaf although modules beneath it hold its weights") {
  const auto packed =
      module_of("__torch__.torch.ao.nn.quantized.dynamic.modules.rnn.PackedParameter", "");
  const auto weights = network({{"0", packed}}, "def forward(self, x):\n    return x\n",
                               "__torch__.torch.nn.modules.container.ModuleList");
  const auto lstm = network({{"_all_weight_values", weights}},
                            "def forward(self, x):\n    return torch.tanh(x)\n",
                            "__torch__.torch.ao.nn.quantized.dynamic.modules.rnn.LSTM");
  const auto graph = torchscript::build_graph(
      network({{"lstm", lstm}}, "def forward(self, x):\n    return self.lstm.forward(x)\n"));
  CHECK(module_at(graph, "lstm").leaf);
  CHECK(names(graph, OpKind::module) == std::vector<std::string>{"lstm_0"});
  CHECK(names(graph, OpKind::functional).empty());
}

TEST_CASE("a module with a list of working modules beneath it is not a leaf") {
  const auto list = network({{"0", relu()}}, "def forward(self, x):\n    return x\n",
                            "__torch__.torch.nn.modules.container.ModuleList");
  const auto graph = torchscript::build_graph(
      network({{"list", list}}, "def forward(self, x):\n    return torch.tanh(x)\n"));
  CHECK_FALSE(module_at(graph, "list").leaf);
  CHECK_FALSE(module_at(graph, "").leaf);
}

TEST_CASE("a leaf of the user's own is walked into") {
  const auto own = module_of("__torch__.net.Swish", R"(
def forward(self, x):
    return x * torch.sigmoid(x)
)");
  const ConnectedGraph graph = torchscript::build_graph(
      network({{"act", own}}, "def forward(self, x):\n    return self.act.forward(x)\n"));
  CHECK(names(graph, OpKind::functional) == Names{"sigmoid_0", "mul_0"});
  CHECK(graph.module_path(op_named(graph, "mul_0").parent) == "act");
  CHECK(producers(graph, "mul_0") == Names{"x", "sigmoid_0"});
}

TEST_CASE("what a helper of a child computes belongs to the module whose forward runs") {
  const auto child = module_of("__torch__.net.Child", R"(
def helper(self, x):
    return torch.tanh(x)
)");
  const ConnectedGraph graph = torchscript::build_graph(
      network({{"child", child}}, "def forward(self, x):\n    return self.child.helper(x)\n"));
  CHECK(graph.module_path(op_named(graph, "tanh_0").parent).empty());
}

TEST_CASE("sizes and integer arithmetic are queries") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    n = x.size(0) * 2 + 1
    if x.dim() == 2:
        n = n + 1
    return x.view(n, -1)
)");
  CHECK(names(graph, OpKind::functional) == Names{"view_0"});
  CHECK_FALSE(names(graph, OpKind::query).empty());
}

TEST_CASE("tensor arithmetic on sizes, as traces are full of, is a query") {
  const auto ir = R"IR(
graph(%self, %x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %two : int = prim::Constant[value=2]()
  %n : int = aten::size(%x, %zero)
  %t : Tensor = prim::NumToTensor(%n)
  %h : Tensor = aten::floor_divide(%t, %two)
  %i : int = aten::Int(%h)
  %shape : int[] = prim::ListConstruct(%i, %two)
  %y : Tensor = aten::reshape(%x, %shape)
  %s : Tensor = aten::sqrt(%t)
  %z : Tensor = aten::div(%y, %s)
  return (%z)
)IR";
  const ConnectedGraph graph = torchscript::build_graph(module_of_ir(ir));
  CHECK(names(graph, OpKind::functional) == Names{"reshape_0", "sqrt_0", "div_0"});
  CHECK(op_named(graph, "floor_divide_0").kind == OpKind::query);
}

TEST_CASE("padding to a multiple, as a trace computes it on sizes, is a query") {
  const auto ir = R"IR(
graph(%self, %x : Tensor):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %stride : Tensor = prim::NumToTensor(%one)
  %n : int = aten::size(%x, %one)
  %t : Tensor = prim::NumToTensor(%n)
  %part : Tensor = aten::div(%t, %stride)
  %whole : Tensor = aten::ceil(%part)
  %more : Tensor = aten::sub(%whole, %t, %one)
  %pad : Tensor = aten::clamp(%more, %zero, %none)
  %left : Tensor = aten::floor_divide(%pad, %stride)
  %right : Tensor = aten::sub(%pad, %left, %one)
  %i : int = aten::Int(%right)
  %sides : int[] = prim::ListConstruct(%zero, %i)
  %y : Tensor = aten::constant_pad_nd(%x, %sides, %zero)
  return (%y)
)IR";
  const ConnectedGraph graph = torchscript::build_graph(module_of_ir(ir));
  CHECK(names(graph, OpKind::functional) == Names{"constant_pad_nd_0"});
}

TEST_CASE("arithmetic on a size that the model put into a tensor is no query") {
  const auto ir = R"IR(
graph(%self, %x : Tensor):
  %one : int = prim::Constant[value=1]()
  %float : int = prim::Constant[value=6]()
  %no : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %n : int = aten::size(%x, %one)
  %t : Tensor = prim::NumToTensor(%n)
  %half : Tensor = aten::div(%t, %t)
  %detached : Tensor = aten::detach(%t)
  %cast : Tensor = aten::to(%detached, %float, %no, %no, %none)
  %made : Tensor = aten::detach(%cast)
  %scale : Tensor = aten::mul(%made, %half)
  %y : Tensor = aten::mul(%x, %scale)
  return (%y)
)IR";
  const ConnectedGraph graph = torchscript::build_graph(module_of_ir(ir));
  CHECK(names(graph, OpKind::functional) == Names{"mul_0", "mul_1"});
  CHECK(op_named(graph, "div_0").kind == OpKind::query);
}

TEST_CASE("a tensor made from sizes is not a query") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    return x + torch.arange(x.size(0))
)");
  CHECK(names(graph, OpKind::functional) == Names{"arange_0", "add_0"});
}

TEST_CASE("the distinct outputs of one op stay distinct") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    a, b = torch.chunk(x, 2)
    return b - a
)");
  CHECK(producers(graph, "sub_0") == Names{"chunk_0:1", "chunk_0"});
}

TEST_CASE("lists and tuples carry what was put in them") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    parts = [torch.relu(x)]
    parts.append(torch.tanh(x))
    pair = (parts, x)
    return torch.cat(pair[0])
)");
  CHECK(producers(graph, "cat_0") == Names{"relu_0", "tanh_0"});
}

TEST_CASE("dicts are followed by key") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    d = {"a": torch.relu(x), "b": torch.tanh(x)}
    return torch.exp(d["b"])
)");
  CHECK(producers(graph, "exp_0") == Names{"tanh_0"});
}

TEST_CASE("what is written in place is read from the op that wrote it") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    y = torch.exp(x)
    y.add_(1)
    return torch.tanh(y)
)");
  CHECK(op_named(graph, "add_0").schema == "aten::add_.Scalar");
  CHECK(producers(graph, "tanh_0") == Names{"add_0"});
}

TEST_CASE("writing into a view writes into its base") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    y = torch.exp(x)
    y[0].zero_()
    return torch.tanh(y)
)");
  CHECK(producers(graph, "tanh_0") == Names{"zero_0"});
}

TEST_CASE("an undecided if keeps both arms, each in its region") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x, flag: bool):
    if flag:
        y = torch.relu(x)
    else:
        y = torch.tanh(x)
    return y
)");
  CHECK(graph.region_labels(op_named(graph, "relu_0").region) == Names{"if@0.then"});
  CHECK(graph.region_labels(op_named(graph, "tanh_0").region) == Names{"if@0.else"});
  CHECK(producers(graph, "if_0") == Names{"flag", "relu_0", "tanh_0"});
  CHECK(producers(graph, "output_0") == Names{"if_0"});
}

TEST_CASE("regions nest, outermost first") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x, n: int, flag: bool):
    for i in range(n):
        if flag:
            x = torch.relu(x)
    return x
)");
  CHECK(graph.region_labels(op_named(graph, "relu_0").region) == Names{"loop@0", "if@0.then"});
}

TEST_CASE("a loop leaves the graph without a cycle") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x, n: int):
    for i in range(n):
        x = torch.relu(x)
    return torch.tanh(x)
)");
  std::vector<OpId> order;
  CHECK_NOTHROW(boost::topological_sort(graph.graph(), std::back_inserter(order)));
  CHECK(producers(graph, "tanh_0") == Names{"loop_0"});
}

TEST_CASE("None that an argument's default decides is evaluated") {
  const ConnectedGraph graph = graph_of(R"(
def helper(self, x, mask: Optional[Tensor] = None):
    if mask is not None:
        x = x * mask
    return torch.relu(x)
def forward(self, x):
    return self.helper(x)
)");
  CHECK(names(graph, OpKind::functional) == Names{"relu_0"});
}

TEST_CASE("what is asked of known lists is evaluated") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    shift = [0, 3]
    if any(shift):
        x = torch.sin(x)
    if all(shift):
        x = torch.exp(x)
    if sum(shift) > 3:
        x = torch.exp(x)
    if max(shift) - min(shift) != 3:
        x = torch.exp(x)
    if any([False, False]):
        x = torch.exp(x)
    return x
)");
  CHECK(names(graph, OpKind::functional) == Names{"sin_0"});
  CHECK(names(graph, OpKind::control_flow).empty());
}

TEST_CASE("what is asked of lists that are not known, or of tensors, stays undecided") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x, n: int):
    shift = [0]
    if n > 1:
        shift.append(3)
    if any(shift):
        x = torch.sin(x)
    if sum([n, 1]) > 1:
        x = torch.cos(x)
    if bool(torch.any(x)):
        x = torch.exp(x)
    return x
)");
  CHECK(names(graph, OpKind::functional) == Names{"sin_0", "cos_0", "any_1", "exp_0"});
}

TEST_CASE("members of an enumeration are distinguished") {
  const auto type = c10::EnumType::create(c10::QualifiedName("__torch__.net.Format"),
                                          c10::StringType::get(), {{"NCHW", "a"}, {"NHWC", "b"}},
                                          std::make_shared<torch::jit::CompilationUnit>());
  const auto member = [&](const std::string& name, const std::string& value) {
    return c10::IValue(c10::make_intrusive<c10::ivalue::EnumHolder>(type, name, value));
  };
  torch::jit::Module module("__torch__.net.Net");
  module.register_attribute("first", type, member("NCHW", "a"));
  module.register_attribute("second", type, member("NHWC", "b"));
  module.define(R"(
def forward(self, x):
    if self.first == self.second:
        x = torch.exp(x)
    if self.first != self.second:
        x = torch.sin(x)
    return x
)");
  const ConnectedGraph graph = torchscript::build_graph(module);
  CHECK(names(graph, OpKind::functional) == Names{"sin_0"});
}

TEST_CASE("devices are distinguished") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    if x.device == torch.device("cuda"):
        x = torch.sin(x)
    if x.device == torch.device("cpu"):
        x = torch.cos(x)
    return x
)");
  REQUIRE(names(graph, OpKind::functional) == Names{"sin_0", "cos_0"});
  const Op& second = op_named(graph, "cos_0");
  CHECK(graph.region_labels(second.region).size() == 1);
}

TEST_CASE("an optional input stays undecided") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x, mask: Optional[Tensor] = None):
    if mask is not None:
        x = x * mask
    return torch.relu(x)
)");
  CHECK(names(graph, OpKind::functional) == Names{"mul_0", "relu_0"});
  CHECK_FALSE(graph.region_labels(op_named(graph, "mul_0").region).empty());
  CHECK(graph.op(graph.inputs()[1]).attributes.size() == 1);
}

TEST_CASE("one minus a tensor is one operation, as in Python") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    return (1 - x) * x
)");
  CHECK(names(graph, OpKind::functional) == Names{"sub_0", "mul_0"});
  REQUIRE(op_named(graph, "sub_0").body);
  CHECK(op_named(graph, "sub_0").body->front().schema == "aten::neg");
}

TEST_CASE("asserts and warnings are queries") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    assert x.dim() == 4, "four dimensions"
    return torch.relu(x)
)");
  CHECK(names(graph, OpKind::functional) == Names{"relu_0"});
}

TEST_CASE("constant arguments are attributes by the schema's names") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    return torch.softmax(x, dim=-1)
)");
  const auto& attributes = op_named(graph, "softmax_0").attributes;
  CHECK(std::find(attributes.begin(), attributes.end(), Attribute{"dim", std::int64_t{-1}}) !=
        attributes.end());
}

TEST_CASE("outputs of nested tuples are the model's outputs in order") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    return torch.relu(x), (torch.tanh(x), torch.exp(x))
)");
  REQUIRE(graph.outputs().size() == 3);
  CHECK(producers(graph, "output_2") == Names{"exp_0"});
}

TEST_CASE("parameters that an operator reads are named with their operand") {
  torch::jit::Module net("__torch__.net.Net");
  net.register_parameter("scale", at::ones({2}), false);
  net.define("def forward(self, x):\n    return x * self.scale\n");
  const ConnectedGraph graph = torchscript::build_graph(net);
  const Op& mul = op_named(graph, "mul_0");
  REQUIRE(mul.parameters.size() == 1);
  CHECK(graph.parameters()[mul.parameters[0]].path == "scale");
  CHECK(mul.parameter_inputs == std::vector<std::size_t>{1});
}

TEST_CASE("what is popped from a list is gone") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    parts = [torch.relu(x), torch.tanh(x)]
    last = parts.pop()
    return torch.exp(last), torch.cat(parts)
)");
  CHECK(producers(graph, "exp_0") == Names{"tanh_0"});
  CHECK(producers(graph, "cat_0") == Names{"relu_0"});
}

TEST_CASE("a list that was reordered is no longer known by position") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, x):
    parts = [torch.relu(x), torch.tanh(x)]
    parts.reverse()
    return torch.exp(parts[0])
)");
  CHECK(producers(graph, "exp_0") == Names{"relu_0", "tanh_0"});
}

TEST_CASE("picking an element of an input dict or of an op's outputs is not an operation") {
  const ConnectedGraph graph = graph_of(R"(
def forward(self, d: Dict[str, Tensor]):
    parts = torch.chunk(d["image"], 2)
    return torch.relu(parts[1])
)");
  CHECK(names(graph, OpKind::functional) == Names{"chunk_0", "relu_0"});
  CHECK(producers(graph, "chunk_0") == Names{"d"});
  CHECK(producers(graph, "relu_0") == Names{"chunk_0:1"});
}
