#include "verify/backends/builtin.h"
#include "verify/backends/flat_backend.h"
#include "verify/backends/onnx_model.h"
#include "verify/backends/onnx_session.h"
#include "verify/backends/portion.h"
#include "verify/run/signature.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace model_validator::verify {
namespace {

OnnxSessionOptions session_options(const BackendOptions& options) {
  return {options.threads, options.optimise, options.provider, ""};
}

SharedOnnxModel model_of(const BackendInput& input) {
  return input.onnx ? input.onnx : std::make_shared<OnnxModel>(input.file);
}

OnnxSession open_session(const BackendInput& input, const BackendOptions& options) {
  OnnxSessionOptions session = session_options(options);
  const auto shared = model_of(input);
  if (options.shown.empty()) {
    if (!shared->file().empty()) return open_onnx(shared->file(), session);
    OnnxParts parts = shared->parts();
    session.model = parts.serialised_structure();
    session.at_hand = std::move(parts.weights);
    return open_onnx(input.file, session);
  }
  const auto model = shared->intermediates();
  std::vector<std::string> outputs = model->outputs();
  outputs.insert(outputs.end(), options.shown.begin(), options.shown.end());
  OnnxVariant variant = model->variant(outputs, {});
  session.model = std::move(variant.model);
  session.at_hand = std::move(variant.weights);
  return open_onnx(input.file, session);
}

/// Runs a model so that it shows what it computes. Without optimisations it runs in parts, each
/// node once; with them, what is shown decides what the runtime computes as one.
class IntermediateSessions {
public:
  IntermediateSessions(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                       const BackendOptions& options, const IntermediateRun& run)
      : file_(input.file), model_(model_of(input)->intermediates()), run_(run),
        given_(flat_inputs(inputs, input.input_names)), options_(session_options(options)) {
    for (const auto& [name, tensor] : run.replaced) at_hand_.push_back({name, to_tensor(tensor)});
  }

  std::vector<at::Tensor> run() {
    std::vector<const OnnxValue*> wanted;
    for (const auto& value : model_->values())
      if (run_.visit && (!run_.wanted || run_.wanted(value.name))) wanted.push_back(&value);
    for (const OnnxValue* value : wanted) open_.push_back(value->name);
    if (run_.needs_outputs)
      open_.insert(open_.end(), model_->outputs().begin(), model_->outputs().end());
    show_in_portions(wanted, bytes_given(given_), [&](const auto& values) { return show(values); });
    std::vector<at::Tensor> outputs;
    const std::size_t left = open_.size();
    for (const auto& [name, tensor] : next(left)) outputs.push_back(to_torch(tensor));
    return outputs;
  }

private:
  /// @returns the bytes that they weigh
  std::size_t show(const std::vector<const OnnxValue*>& values) {
    std::size_t bytes = 0;
    const NamedTensors results = next(values.size());
    auto result = results.begin();
    for (const OnnxValue* value : values) {
      const OnnxValue shown = beyond_hidden(*value);
      if (hidden_names_.contains(shown.name)) {
        hidden_.emplace(shown.name, shown);
        if (run_.pass_over) run_.pass_over(shown.name);
        continue;
      }
      const auto tensor = to_torch((result++)->tensor);
      bytes += tensor.nbytes();
      run_.visit({shown.name, shown.op, shown.inputs, tensor, shown.node, shown.reads_inputs,
                  shown.last_operand});
    }
    return bytes;
  }

  /// What a hidden value is computed from, in place of it.
  OnnxValue beyond_hidden(OnnxValue value) const {
    std::vector<std::string> seen;
    for (const std::string& input : value.inputs) {
      const auto found = hidden_.find(input);
      if (found == hidden_.end()) {
        seen.push_back(input);
        continue;
      }
      seen.insert(seen.end(), found->second.inputs.begin(), found->second.inputs.end());
      value.reads_inputs = value.reads_inputs || found->second.reads_inputs;
    }
    value.inputs = std::move(seen);
    return value;
  }

  /// The next of the open values.
  NamedTensors next(std::size_t count) {
    const auto end = open_.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<std::string> names(open_.begin(), end);
    open_.erase(open_.begin(), end);
    for (;;) {
      std::erase_if(names, [&](const std::string& name) { return hidden_names_.contains(name); });
      if (names.empty()) return {};
      const std::size_t known = hidden_names_.size();
      auto found = options_.optimise && !run_.shows_own ? of_whole_model(names) : of_parts(names);
      if (hidden_names_.size() == known) return found;
    }
  }

  NamedTensors of_whole_model(const std::vector<std::string>& names) {
    NamedTensors given = given_;
    given.insert(given.end(), at_hand_.begin(), at_hand_.end());
    return run(model_->variant(names, at_hand_), given);
  }

  NamedTensors of_parts(const std::vector<std::string>& names) {
    NamedTensors found;
    std::vector<std::string> missing;
    for (const std::string& name : names) {
      const bool is_made_anew = run_.shows_own && run_.replaced.contains(name);
      const auto known = is_made_anew ? at_hand_.end() : at_hand(name);
      found.push_back({name, known == at_hand_.end() ? Tensor() : known->tensor});
      if (known == at_hand_.end()) missing.push_back(name);
    }
    if (missing.empty()) return found;
    const NamedTensors made = of_part(missing);
    const std::size_t count = std::min(made.size(), missing.size());
    for (std::size_t i = 0, next = 0; i < found.size() && next < count; ++i)
      if (found[i].name == missing[next]) found[i].tensor = made[next++].tensor;
    return found;
  }

  /// And keeps what is needed afterwards.
  NamedTensors of_part(const std::vector<std::string>& names) {
    OnnxPart part = model_->part({names, open_, at_hand_, hidden_names_});
    NamedTensors given = given_;
    for (const NamedTensor& value : at_hand_)
      if (part.inputs.contains(value.name)) given.push_back(value);
    NamedTensors made = run(std::move(part.variant), given);
    if (made.empty()) return {};
    NamedTensors kept;
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i].name = part.outputs[i];
      if (at_hand(made[i].name) == at_hand_.end()) kept.push_back(made[i]);
    }
    at_hand_.insert(at_hand_.end(), kept.begin(), kept.end());
    std::erase_if(at_hand_,
                  [&](const NamedTensor& value) { return !part.read_later.contains(value.name); });
    return made;
  }

  NamedTensors::iterator at_hand(const std::string& name) {
    return std::ranges::find(at_hand_, name, &NamedTensor::name);
  }

  /// @returns nothing where something of it turns out to be hidden
  NamedTensors run(OnnxVariant variant, const NamedTensors& given) {
    options_.model = std::move(variant.model);
    options_.at_hand = std::move(variant.weights);
    const auto session = open_onnx(file_, options_);
    const std::size_t known = hidden_names_.size();
    for (const InputPort& output : session.outputs)
      if (!output.dtype && !contains(model_->outputs(), output.name))
        hidden_names_.insert(output.name);
    if (hidden_names_.size() > known) return {};
    return session.run(bound_inputs(session.inputs, given, {}));
  }

  std::filesystem::path file_;
  std::shared_ptr<const OnnxIntermediates> model_;
  const IntermediateRun& run_;
  NamedTensors given_;
  NamedTensors at_hand_;                    ///< what replaces values, and values that others read
  std::vector<std::string> open_;           ///< what is asked for, in order
  std::set<std::string> hidden_names_;      ///< of values that are no tensors of numbers
  std::map<std::string, OnnxValue> hidden_; ///< those that were asked for so far
  OnnxSessionOptions options_;
};

class OnnxRuntime final : public Backend {
public:
  std::string name() const override { return "onnxruntime"; }
  std::string summary() const override { return "an ONNX file, run by ONNX Runtime"; }
  bool is_reusable() const override { return true; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    expect_cpu(options, name());
    if (input.module)
      throw Error(ErrorKind::backend_refused, input.file.string(),
                  "the backend `onnxruntime` takes ONNX files only",
                  "export it to ONNX, and verify that file against this one");
    const auto run = [session = open_session(input, options),
                      note = options.note](const NamedTensors& inputs) {
      return session.run(bound_inputs(session.inputs, inputs, note));
    };
    return from_flat(run, input.input_names);
  }
  std::optional<std::vector<at::Tensor>>
  run_intermediates(const BackendInput& input, const std::vector<c10::IValue>& inputs,
                    const BackendOptions& options, const IntermediateRun& run) const override {
    return IntermediateSessions(input, inputs, options, run).run();
  }
};

} // namespace

std::shared_ptr<const Backend> onnxruntime_backend() { return std::make_shared<OnnxRuntime>(); }

} // namespace model_validator::verify
