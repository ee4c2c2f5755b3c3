#include "verify/trace/steady_state.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/ir/ir.h>

#include <cstddef>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace model_validator::verify {
namespace {

/// Writes down what a run reads of attributes: everything that shapes and numbers can follow from.
class StateLog final : public RunObserver {
public:
  explicit StateLog(const std::set<std::string>& attributes) : attributes_(attributes) {}

  void on_attribute(const torch::jit::Node& node, const c10::IValue& value) override {
    if (!attributes_.contains(node.s(torch::jit::attr::name)) || !complete()) return;
    described_.clear();
    log_ << '\n';
    describe(value);
  }
  void on_step(const Step&) override {}

  /// False once there was too much to write down.
  bool complete() const noexcept { return values_ < most_values; }
  std::string text() const { return log_.str(); }

private:
  static constexpr std::size_t most_values = std::size_t{1} << 20;

  void describe(const c10::IValue& value) {
    if (++values_ >= most_values) return;
    log_ << ' ';
    if (value.isTensor() && !value.toTensor().defined())
      log_ << "undefined";
    else if (value.isTensor())
      describe_tensor(value);
    else if (value.isTuple())
      describe_all(value.toTupleRef().elements());
    else if (value.isList() || value.isGenericDict() || value.isObject())
      describe_shared(value);
    else
      log_ << value.tagKind() << ':' << value;
  }

  void describe_tensor(const c10::IValue& value) {
    const at::Tensor& tensor = value.toTensor();
    log_ << tensor.scalar_type() << tensor.sizes() << tensor.layout();
    number(value);
  }

  /// What has an identity: written down once for each read.
  void describe_shared(const c10::IValue& value) {
    number(value);
    if (!described_.insert(value.internalToPointer()).second) return;
    if (value.isList()) {
      describe_all(value.toListRef());
    } else if (value.isObject()) {
      describe_all(value.toObjectRef().slots());
    } else {
      for (const auto& item : value.toGenericDict()) {
        describe(item.key());
        describe(item.value());
      }
      log_ << '}';
    }
  }

  template <class Values> void describe_all(const Values& values) {
    for (const c10::IValue& value : values) describe(value);
    log_ << ']';
  }

  /// Which of the values that the run has read it is. It is kept: its address is its identity.
  void number(const c10::IValue& value) {
    const auto next = std::make_pair(numbers_.size(), value);
    log_ << '#' << numbers_.try_emplace(value.internalToPointer(), next).first->second.first;
  }

  const std::set<std::string>& attributes_;
  std::unordered_map<const void*, std::pair<std::size_t, c10::IValue>> numbers_;
  std::unordered_set<const void*> described_;
  std::size_t values_ = 0;
  std::ostringstream log_;
};

} // namespace

bool has_steady_state(Interpreter& interpreter,
                      const std::function<std::vector<c10::IValue>()>& arguments,
                      const std::set<std::string>& changing) {
  try {
    interpreter.run(arguments());
    StateLog second(changing), third(changing);
    interpreter.run(arguments(), &second);
    interpreter.run(arguments(), &third);
    return second.complete() && second.text() == third.text();
  } catch (const Error&) {
    return false; // the run that is wanted shows the error, if it has it
  }
}

} // namespace model_validator::verify
