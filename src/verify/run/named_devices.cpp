#include "verify/run/named_devices.h"

#include "verify/run/module_nodes.h"

#include <functional>

namespace model_validator::verify {
namespace {

using torch::jit::Node;

/// Holds, beside the device that a constant is, the one that it is on a GPU.
c10::Symbol on_gpu() {
  static const auto name = c10::Symbol::attr("on_gpu");
  return name;
}

/// LibTorch keeps a device as its name.
bool is_device(const Node& node) {
  return node.kind() == c10::prim::Constant && node.hasAttribute(c10::attr::value) &&
         node.output()->type()->kind() == c10::TypeKind::DeviceObjType;
}

void visit_devices(const torch::jit::Module& module, const std::function<void(Node&)>& visit) {
  visit_nodes(module, [&](Node& node) {
    if (is_device(node)) visit(node);
  });
}

} // namespace

bool name_cpu(const torch::jit::Module& module) {
  bool named = false;
  visit_devices(module, [&](Node& node) {
    const std::string device = node.s(c10::attr::value);
    if (!c10::Device(device).is_cuda()) return;
    named = true;
    node.s_(on_gpu(), device);
    node.s_(c10::attr::value, "cpu");
  });
  return named;
}

void name_where_it_runs(const torch::jit::Module& module) {
  visit_devices(module, [](Node& node) {
    if (c10::Device(node.s(c10::attr::value)).is_cpu()) node.s_(on_gpu(), "cuda");
  });
}

void name_gpu(const torch::jit::Module& module) {
  visit_devices(module, [](Node& node) {
    if (node.hasAttribute(on_gpu())) node.s_(c10::attr::value, node.s(on_gpu()));
  });
}

} // namespace model_validator::verify
