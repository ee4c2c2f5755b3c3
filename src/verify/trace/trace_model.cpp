#include "verify/trace/trace_model.h"

#include "verify/run/signature.h"
#include "verify/trace/trace_recorder.h"

#include <model_validator/error.h>

#include <c10/util/Exception.h>

#include <set>
#include <utility>

namespace model_validator::verify {
namespace {

using ObjectPointer = c10::intrusive_ptr<c10::ivalue::Object>;

/// The attributes of a module and what is beneath it, so that a run finds what the first one found.
class Attributes {
public:
  explicit Attributes(const torch::jit::Module& module) { add(module._ivalue()); }

  void restore() const {
    for (const auto& [object, slots] : objects_)
      for (std::size_t i = 0; i < slots.size(); ++i) object->setSlot(i, slots[i]);
  }

private:
  void add(const ObjectPointer& object) {
    if (!seen_.insert(object.get()).second) return;
    objects_.emplace_back(object, object->slots());
    for (const c10::IValue& slot : object->slots())
      if (slot.isObject()) add(slot.toObject());
  }

  std::set<const c10::ivalue::Object*> seen_;
  std::vector<std::pair<ObjectPointer, std::vector<c10::IValue>>> objects_;
};

/// What LibTorch would print about the model's operators is no concern of its user.
class Silent final : public c10::WarningHandler {
public:
  void process(const c10::Warning&) override {}
};

} // namespace

Trace trace_model(const torch::jit::Module& module, const torchscript::NodeMap& map,
                  const std::vector<Sample>& samples, const TraceOptions& options,
                  GraphBuilder& graph, torchscript::NodeMap* sizes) {
  const RunMode mode = options.values ? RunMode::values : RunMode::shapes;
  Silent silent;
  const c10::WarningUtils::WarningHandlerGuard guard(&silent);
  const Attributes attributes(module);
  TraceRecorder recorder(map, graph, sizes);
  Trace trace;
  try {
    for (const Sample& sample : samples) {
      const auto arguments = to_arguments(module, sample);
      recorder.begin(arguments);
      recorder.end(Interpreter(module, mode, options.max_steps).run(arguments, &recorder));
      ++trace.samples;
      attributes.restore();
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data_dependent) throw;
    trace.ended_by = error.what();
    trace.ended_at = recorder.last_op();
  }
  attributes.restore();
  recorder.write(graph, trace);
  return trace;
}

} // namespace model_validator::verify
