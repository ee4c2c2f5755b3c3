#include "verify/reduce/cutting.h"

#include "files/scratch_folder.h"
#include "verify/command/confined_reading.h"
#include "verify/run/isolated.h"

#include <model_validator/error.h>

#include <algorithm>
#include <functional>

namespace model_validator::verify {

OnnxFlow flow_of(const VerifyRequest& request, const std::filesystem::path& model) {
  return OnnxFlow(read_confined_value({model}, request, [&] { return outline_onnx(model); }));
}

namespace {

bool writes(const VerifyRequest& request, const std::filesystem::path& folder,
            const std::function<void()>& write) {
  Isolation isolation{folder};
  isolation.sandbox = request.sandbox;
  isolation.stop = request.stop;
  return run_isolated(write, isolation).ending == IsolatedOutcome::Ending::done;
}

} // namespace

void write_cuts(const VerifyRequest& request, const std::filesystem::path& model,
                const std::vector<OnnxCut>& cuts, const std::vector<std::filesystem::path>& files) {
  if (!cuts.empty())
    writes(request, files.front().parent_path(), [&] { write_onnx_cuts(model, cuts, files); });
}

bool write_cut(const VerifyRequest& request, const std::filesystem::path& model, const OnnxCut& cut,
               const std::filesystem::path& file) {
  write_cuts(request, model, {cut}, {file});
  return std::filesystem::exists(file);
}

bool write_body(const VerifyRequest& request, const std::filesystem::path& model,
                const OnnxOpenedBody& opened, const std::filesystem::path& file) {
  return writes(request, file.parent_path(), [&] { write_onnx_body(model, opened, file); });
}

std::optional<NamedTensors> ReferenceValues::of(const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  NamedTensors values;
  for (const std::string& name : names) {
    const auto input = std::ranges::find(subject_.inputs, name, &NamedTensor::name);
    if (input != subject_.inputs.end()) known_.emplace(name, input->tensor);
    if (!known_.contains(name)) missing.push_back(name);
  }
  if (!missing.empty() && !compute(missing)) return std::nullopt;
  for (const std::string& name : names) values.push_back({name, known_.at(name)});
  return values;
}

void ReferenceValues::forget_if_large() {
  constexpr std::uint64_t max_bytes = std::uint64_t{1} << 30;
  std::uint64_t bytes = 0;
  for (const auto& [name, tensor] : known_) bytes += byte_count(tensor.view);
  if (bytes > max_bytes) known_.clear();
}

/// Together, else one by one.
bool ReferenceValues::compute(const std::vector<std::string>& names) {
  const auto is_impossible = [&](const std::string& name) { return impossible_.contains(name); };
  if (std::ranges::any_of(names, is_impossible)) return false;
  for (const AskedRuntime& runtime : runtimes_)
    if (compute_by(runtime, names)) return true;
  if (names.size() == 1) impossible_.insert(names.front());
  return names.size() > 1 &&
         std::ranges::all_of(names, [&](const std::string& name) { return compute({name}); });
}

bool ReferenceValues::compute_by(const AskedRuntime& runtime,
                                 const std::vector<std::string>& names) {
  const OnnxFlow& flow = subject_.flow;
  OnnxCut cut;
  cut.nodes = flow.makers(names, flow.all());
  cut.outputs = names;
  cut.as_declared = true;
  for (const std::string& name : flow.read_from_outside(cut.nodes)) {
    const auto input = std::ranges::find(subject_.inputs, name, &NamedTensor::name);
    if (input == subject_.inputs.end()) return false;
    cut.inputs.push_back(*input);
  }
  const ScratchFolder folder;
  const auto file = folder.path() / "values.onnx";
  if (!write_cut(request_, subject_.model, cut, file)) return false;
  Attempt run = try_model(request_, runtime, file, cut.inputs);
  if (run.answer != Answer::ran || run.outputs.size() != names.size()) return false;
  for (std::size_t i = 0; i < names.size(); ++i)
    known_[names[i]] = std::move(run.outputs[i].tensor);
  return true;
}

} // namespace model_validator::verify
