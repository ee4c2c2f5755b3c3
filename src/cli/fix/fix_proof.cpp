#include "cli/fix/fix_proof.h"

#include "introspection/torchscript_weights.h"
#include "introspection/weight_store.h"
#include "libraries/verify_library.h"
#include "requests/reading.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace model_validator::cli {
namespace {

/// How the tensors that one model's file saves differ from another's.
struct StateDifference {
  std::size_t tensors = 0;            ///< of the first
  std::vector<std::string> lost;      ///< names that only the first has
  std::vector<std::string> added;     ///< names that only the second has
  std::vector<std::string> reshaped;  ///< of another shape or dtype
  std::vector<std::string> changed;   ///< of the same shape and dtype, with other bytes
  std::vector<std::string> resharing; ///< names that do not share their bytes with the same others
};

struct SavedTensor {
  std::string kind; ///< dtype and shape
  std::string hash;
  std::set<std::string> sharing; ///< all names of its storage
};

using State = std::map<std::string, SavedTensor>;

std::string kind_of(const StoredWeights& tensor) {
  std::string text = tensor.dtype;
  for (const std::uint64_t size : tensor.shape) text += ' ' + std::to_string(size);
  return text;
}

bool is_made_up(const std::string& name) { return name.find("::") != std::string::npos; }

State state_of(const std::filesystem::path& file) {
  const bool torchscript = recognise(file) == FileFormat::torchscript;
  const auto tensors = torchscript ? list_torchscript_state(file) : list_named_weights(file);
  const auto hashes = hash_weights(tensors);
  std::map<std::string, std::set<std::string>> storages;
  State state;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string name = is_made_up(tensors[i].name) ? hashes[i] : tensors[i].name;
    state[name] = {kind_of(tensors[i]), hashes[i], {}};
    if (torchscript) storages[tensors[i].entry].insert(name);
  }
  for (const auto& [entry, names] : storages)
    for (const std::string& name : names) state[name].sharing = names;
  return state;
}

/// A name that is new shares nothing that was there, or it would be named here.
void compare(const std::string& name, const SavedTensor& before, const SavedTensor& after,
             StateDifference& difference) {
  if (before.kind != after.kind)
    difference.reshaped.push_back(name);
  else if (before.hash != after.hash)
    difference.changed.push_back(name);
  if (before.sharing != after.sharing) difference.resharing.push_back(name);
}

/// Compares names, shapes, bytes, and what shares its bytes. Names that an exporter made up, as
/// ONNX files have them, are left out: such tensors are recognised by their bytes.
/// @throws Error (`missing-weights`, and those of the readers)
StateDifference compare_states(const std::filesystem::path& first,
                               const std::filesystem::path& second) {
  const State before = state_of(first);
  const State after = state_of(second);
  StateDifference difference;
  difference.tensors = before.size();
  for (const auto& [name, tensor] : before) {
    const auto found = after.find(name);
    if (found == after.end())
      difference.lost.push_back(name);
    else
      compare(name, tensor, found->second, difference);
  }
  for (const auto& [name, tensor] : after)
    if (!before.count(name)) difference.added.push_back(name);
  return difference;
}

using Names = std::vector<std::string>;

bool was_made(const std::string& name, const std::set<std::string>& buffers) {
  return buffers.count(name.substr(name.rfind('.') + 1)) != 0;
}

std::string first_of(const Names& names, const std::string& what) {
  const std::string others =
      names.size() > 1 ? " (and " + std::to_string(names.size() - 1) + " more)" : "";
  return "`" + names.front() + "`" + others + ' ' + what;
}

/// In words; empty where nothing differs.
std::string in_words(StateDifference difference, const std::set<std::string>& buffers) {
  std::erase_if(difference.added, [&](const auto& name) { return was_made(name, buffers); });
  const std::vector<std::pair<const Names*, const char*>> kinds = {
      {&difference.lost, "is no longer saved"},
      {&difference.added, "is saved, and was not before"},
      {&difference.reshaped, "has a different shape"},
      {&difference.changed, "has different bytes"},
      {&difference.resharing, "no longer shares its bytes with the same tensors"}};
  for (const auto& [names, what] : kinds)
    if (!names->empty()) return "the state differs: " + first_of(*names, what);
  return {};
}

using FingerprintCounts = std::map<std::string, std::ptrdiff_t>;

FingerprintCounts count(const std::vector<Diagnostic>& findings) {
  FingerprintCounts counts;
  for (const Diagnostic& finding : findings) ++counts[finding.fingerprint];
  return counts;
}

/// What a finding says, wherever it is: an edit moves what it is about into a module of its own.
std::string subject_of(const Diagnostic& finding) { return finding.rule + '\n' + finding.message; }

} // namespace

Proof::Proof(std::filesystem::path model, ProofOptions options)
    : model_(std::move(model)), options_(std::move(options)) {
  store_outputs(Mode::evaluation);
  if (recognise(model_) == FileFormat::onnx)
    not_trained_ = "an ONNX file has one mode; the step of the network's training says more";
  else
    try {
      store_outputs(Mode::training);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      not_trained_ = error.what();
    }
}

std::filesystem::path Proof::stored(Mode mode) const {
  return folder_.path() / (mode == Mode::training ? "training" : "evaluation");
}

/// Both models are run in one way: optimisations are free to round otherwise.
verify::VerifyRequest Proof::request_for(const std::filesystem::path& model, Mode mode) const {
  verify::VerifyRequest request;
  request.reference = model;
  request.checker = "exact";
  request.optimise = false;
  request.allow_empty = true;
  request.training = mode == Mode::training;
  request.random_seed = options_.inputs.seed;
  request.sandbox = options_.sandbox;
  request.timeout = options_.timeout;
  request.operator_libraries = options_.operator_libraries;
  request.stop = options_.stop;
  return request;
}

void Proof::store_outputs(Mode mode) {
  verify::VerifyRequest request = request_for(model_, mode);
  request.inputs = options_.inputs;
  request.save_golden = stored(mode);
  verify_library().run(request);
}

std::string Proof::difference_unedited(const std::filesystem::path& exported,
                                       const std::set<std::string>& buffers) {
  std::string found = difference(exported, buffers);
  if (found.empty()) return {};
  if (const std::string itself = outputs_differ(model_, Mode::evaluation); !itself.empty())
    throw Error(
        ErrorKind::not_repeatable, model_.string(),
        "the model differs from itself on a second run, so nothing can be proved about it: " +
            itself,
        "make it compute the same results for the same inputs and random seed");
  if (!not_trained_.empty()) return found;
  not_trained_ = outputs_differ(model_, Mode::training);
  return not_trained_.empty() ? found : difference(exported, buffers);
}

std::string Proof::difference(const std::filesystem::path& edited,
                              const std::set<std::string>& buffers) {
  try {
    if (std::string state = state_differs(edited, buffers); !state.empty()) return state;
    std::string outputs = outputs_differ(edited, Mode::evaluation);
    if (outputs.empty() && not_trained_.empty()) outputs = outputs_differ(edited, Mode::training);
    return outputs;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return std::string("the model cannot be compared: ") + error.what();
  }
}

std::string Proof::outputs_differ(const std::filesystem::path& edited, Mode mode) {
  verify::VerifyRequest request = request_for(edited, mode);
  request.golden = stored(mode);
  const auto result = verify_library().run(request);
  samples_ = result.report.samples;
  if (result.status == verify::VerifyStatus::same) return {};
  const std::string failure = result.report.first_failure();
  return std::string("the outputs differ") + (request.training ? " in training mode: " : ": ") +
         (failure.empty() ? "the model failed" : failure);
}

std::string Proof::state_differs(const std::filesystem::path& edited,
                                 const std::set<std::string>& buffers) {
  process::ReadingPolicy policy;
  policy.sandbox = *process::sandbox_mode_from(options_.sandbox);
  policy.timeout = options_.timeout;
  const Reading reading{{model_, edited}, {}, {}, policy, {}};
  const auto result = read_confined(reading, [&](Findings& found) {
    auto difference = compare_states(model_, edited);
    const std::size_t tensors = difference.tensors;
    found.output << tensors << '\n' << in_words(std::move(difference), buffers);
  });
  const char* end = result.text.data() + result.text.size();
  const auto [line_end, failure] = std::from_chars(result.text.data(), end, tensors_);
  if (failure != std::errc() || line_end == end || *line_end != '\n')
    throw process::unreadable_result(edited.string());
  return {line_end + 1, end};
}

std::string unexpected_finding(const std::vector<Diagnostic>& before,
                               const std::vector<Diagnostic>& fixed,
                               const std::vector<Diagnostic>& after) {
  FingerprintCounts expected = count(before);
  const FingerprintCounts gone = count(fixed);
  for (const auto& [fingerprint, number] : gone) expected[fingerprint] -= number;
  std::vector<const Diagnostic*> others;
  for (const Diagnostic& finding : after)
    if (--expected[finding.fingerprint] < 0) others.push_back(&finding);
  std::map<std::string, std::ptrdiff_t> moved;
  for (const Diagnostic& finding : before)
    if (expected[finding.fingerprint]-- > 0) ++moved[subject_of(finding)];
  for (const Diagnostic* finding : others) {
    if (gone.count(finding->fingerprint)) return "it is found again: " + finding->message;
    if (--moved[subject_of(*finding)] < 0) return "a new finding: " + finding->message;
  }
  return {};
}

} // namespace model_validator::cli
