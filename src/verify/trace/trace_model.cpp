#include "verify/trace/trace_model.h"

#include "connected_graph/torchscript/reachable_values.h"
#include "verify/run/signature.h"
#include "verify/trace/trace_recorder.h"

#include <model_validator/error.h>

#include <c10/util/Exception.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::verify {
namespace {

/// The contents of a module and all beneath it, including lists and dicts, so that every run finds
/// what the first one found.
class Attributes {
public:
  explicit Attributes(const torch::jit::Module& module) {
    torchscript::for_each_reachable(module._ivalue(), [this](const c10::IValue& value) {
      if (value.isObject())
        objects_.emplace_back(value.toObject(), value.toObjectRef().slots());
      else if (value.isList())
        lists_.emplace_back(value.toList(), value.toListRef().vec());
      else if (value.isGenericDict())
        dicts_.emplace_back(value.toGenericDict(), value.toGenericDict().copy());
    });
  }

  void restore() {
    for (const auto& [object, slots] : objects_)
      for (std::size_t i = 0; i < slots.size(); ++i) object->setSlot(i, slots[i]);
    for (auto& [list, elements] : lists_) {
      list.clear();
      for (const c10::IValue& element : elements) list.push_back(element);
    }
    for (auto& [dict, items] : dicts_) {
      dict.clear();
      for (const auto& item : items) dict.insert(item.key(), item.value());
    }
  }

private:
  std::vector<std::pair<c10::intrusive_ptr<c10::ivalue::Object>, std::vector<c10::IValue>>>
      objects_;
  std::vector<std::pair<c10::List<c10::IValue>, std::vector<c10::IValue>>> lists_;
  std::vector<std::pair<c10::impl::GenericDict, c10::impl::GenericDict>> dicts_;
};

/// What LibTorch would print about the model's operators does not concern the user.
class Silent final : public c10::WarningHandler {
public:
  void process(const c10::Warning&) override {}
};

void run(Interpreter& interpreter, const std::vector<c10::IValue>& arguments,
         TraceRecorder& recorder) {
  recorder.begin(arguments);
  recorder.end(interpreter.run(arguments, &recorder));
}

} // namespace

Trace trace_model(const torch::jit::Module& module, const torchscript::NodeMap& map,
                  const std::vector<Sample>& samples, const TraceOptions& options,
                  GraphBuilder& graph, torchscript::NodeMap* sizes) {
  const RunMode mode = options.values ? RunMode::values : RunMode::shapes;
  Silent silent;
  const c10::WarningUtils::WarningHandlerGuard guard(&silent);
  Attributes attributes(module);
  std::set<std::string> changing;
  if (sizes) changing = changing_attributes(module, graph.state_writes);
  KnownSizes known(std::move(changing));
  TraceRecorder recorder(map, graph, sizes ? &known : nullptr);
  Trace trace;
  try {
    for (const Sample& sample : samples) {
      Interpreter interpreter(module, mode, options.max_steps);
      run(interpreter, to_arguments(module, sample), recorder);
      ++trace.samples;
      attributes.restore();
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data_dependent) throw;
    trace.ended_by = error.what();
    trace.ended_at = recorder.last_op();
  }
  attributes.restore();
  if (sizes) known.write(*sizes);
  recorder.write(graph, trace);
  return trace;
}

} // namespace model_validator::verify
