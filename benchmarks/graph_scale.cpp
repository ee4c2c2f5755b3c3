// Builds graphs of growing size in memory and runs every default check over them.
#include <model_validator/graph_builder.h>
#include <model_validator/lint.h>
#include <model_validator/target_profile.h>

#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace model_validator;
constexpr std::size_t ops_per_block = 5;

ModuleId add_leaf(GraphBuilder& graph, ModuleId block, const std::string& path,
                  const std::string& name, const std::string& class_name) {
  Module leaf;
  leaf.path = path + "." + name;
  leaf.class_name = class_name;
  leaf.parent = block;
  leaf.leaf = leaf.torch_nn = true;
  return graph.add_module(std::move(leaf));
}

OpId add_call(GraphBuilder& graph, ModuleId leaf, ModuleId block, FrameId frame, OpId from,
              const std::string& type) {
  Op op;
  op.name = type + "_" + std::to_string(graph.op_count());
  op.type = type;
  op.kind = OpKind::module;
  op.module = leaf;
  op.parent = block;
  op.frame = frame;
  const OpId id = graph.add_op(std::move(op));
  graph.add_product(from, id, {});
  CallSite site;
  site.frame = frame;
  site.op = id;
  graph.modules()[leaf].call_sites.push_back(site);
  ++graph.modules()[leaf].calls;
  return id;
}

OpId add_operator(GraphBuilder& graph, ModuleId block, FrameId frame, std::vector<OpId> from,
                  const std::string& type, const std::string& schema) {
  Op op;
  op.name = type + "_" + std::to_string(graph.op_count());
  op.type = type;
  op.schema = schema;
  op.parent = block;
  op.frame = frame;
  const OpId id = graph.add_op(std::move(op));
  for (std::size_t input = 0; input < from.size(); ++input) {
    Product product;
    product.input = input;
    graph.add_product(from[input], id, std::move(product));
  }
  return id;
}

/// A residual block that calls its activation twice, as torchvision's do.
OpId add_block(GraphBuilder& graph, std::size_t number, OpId input) {
  const std::string path = "blocks." + std::to_string(number);
  Module module;
  module.path = path;
  module.class_name = "resnet.BasicBlock";
  module.parent = 0;
  const ModuleId block = graph.add_module(std::move(module));
  const ModuleId conv = add_leaf(graph, block, path, "conv", "torch.nn.modules.conv.Conv2d");
  const ModuleId relu = add_leaf(graph, block, path, "relu", "torch.nn.modules.activation.ReLU");
  const FrameId first = graph.add_frame({{"resnet.py", 30, 8, 0}, block, none});
  const FrameId second = graph.add_frame({{"resnet.py", 34, 8, 0}, block, none});

  OpId out = add_call(graph, conv, block, first, input, "conv2d");
  out = add_call(graph, relu, block, first, out, "relu");
  out = add_operator(graph, block, second, {out, input}, "add", "aten::add.Tensor");
  out = add_call(graph, relu, block, second, out, "relu");
  return add_operator(graph, block, second, {out}, "gelu", "aten::gelu");
}

ConnectedGraph chain_of_blocks(std::size_t ops) {
  GraphBuilder graph;
  graph.origin.format = FileFormat::torchscript;
  graph.add_module({});
  Op input;
  input.name = "input_0";
  input.type = "input";
  input.kind = OpKind::input;
  OpId last = graph.add_op(std::move(input));
  for (std::size_t number = 0; number < ops / ops_per_block; ++number)
    last = add_block(graph, number, last);
  return graph;
}

/// Processor time of this process, which other load on the machine affects less.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

} // namespace

int main() {
  const Registry registry = Registry::builtin();
  std::vector<const Validator*> checks;
  for (const auto& validator : registry.validators())
    if (validator->info().on_by_default) checks.push_back(validator.get());
  const ModuleTables tables = load_module_tables(rules_folder() / "aimet.toml");
  Context context;
  context.tables = &tables;

  for (const std::size_t ops : {10'000, 100'000, 1'000'000}) {
    double start = processor_seconds();
    const ConnectedGraph graph = chain_of_blocks(ops);
    const double building = processor_seconds() - start;
    start = processor_seconds();
    const ModelReport report = lint(graph, checks, context);
    const double linting = processor_seconds() - start;
    std::printf("%zu %.9f %.9f %zu\n", graph.op_count(), building / static_cast<double>(ops),
                linting / static_cast<double>(ops), report.findings.size());
  }
}
