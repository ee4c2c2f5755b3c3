#include "verify/reduce/reduction.h"

#include "files/scratch_folder.h"
#include "verify/reduce/runtimes.h"

#include <model_validator/error.h>
#include <model_validator/verify/inputs.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace model_validator::verify {
namespace {

template <class Take> void each_word(const std::string& text, const Take& take) {
  constexpr std::size_t least = 3;
  std::string word;
  for (const char letter : text + " ") {
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    else if (word.size() >= least)
      take(std::exchange(word, {}));
    else
      word.clear();
  }
}

struct OutOfTime {};

/// Sizes, axes and the like, which many runtimes want to know before they run.
bool is_setting(const Tensor& tensor) {
  constexpr std::int64_t max_numbers = 64;
  const DType dtype = tensor.view.dtype;
  return (dtype == DType::int64 || dtype == DType::int32) &&
         element_count(tensor.view) <= max_numbers;
}

/// What is left of a list without some of it.
template <class T, class Condition>
std::vector<T> without(const std::vector<T>& all, const Condition& condition) {
  std::vector<T> kept;
  std::ranges::copy_if(all, std::back_inserter(kept),
                       [&](const T& item) { return !condition(item); });
  return kept;
}

} // namespace

Failure::Failure(Answer answer, std::string message, const OnnxOutline& outline,
                 std::optional<AskedRuntime> other)
    : answer_(answer), message_(std::move(message)), other_(std::move(other)) {
  const auto note = [&](std::string word) { own_names_.insert(std::move(word)); };
  for (const OnnxNode& node : outline.nodes) {
    each_word(node.name, note);
    for (const auto* names : {&node.reads, &node.yields})
      for (const std::string& name : *names) each_word(name, note);
  }
  // An operator's name is what is said, not who says it.
  for (const OnnxNode& node : outline.nodes)
    each_word(node.type, [&](const std::string& word) { own_names_.erase(word); });
  words_ = words_of(message_);
}

std::set<std::string> Failure::words_of(const std::string& message) const {
  std::set<std::string> words;
  each_word(message, [&](std::string word) {
    if (!own_names_.contains(word)) words.insert(std::move(word));
  });
  return words;
}

bool Failure::is_like(const Attempt& other) const {
  if (other.answer != answer_) return false;
  if (answer_ == Answer::differs || answer_ == Answer::hung) return true;
  const auto others = words_of(other.message);
  const auto common = static_cast<std::size_t>(std::ranges::count_if(
      words_, [&](const std::string& word) { return others.contains(word); }));
  return 2 * common >= words_.size() + others.size() - common;
}

Reduction::Reduction(const ReduceRequest& request, const Subject& subject, const Subject* candidate,
                     AskedRuntime runner, Failure failure,
                     std::chrono::steady_clock::time_point end)
    : request_(request), subject_(subject), candidate_(candidate), runner_(std::move(runner)),
      failure_(std::move(failure)), values_(request.verify, subject, runner_), end_(end) {}

bool Reduction::fails_as_a_whole() {
  const auto& outline = subject_.flow.outline();
  return fails(subject_.flow.all(), outline.outputs);
}

void Reduction::run() {
  try {
    seek();
  } catch (const OutOfTime&) {
    out_of_time_ = true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted) throw;
    out_of_time_ = true;
  }
}

std::optional<NamedTensors> Reduction::inputs_of_body(const OnnxNode& node, const OnnxBody& body) {
  const bool is_loop = node.type == "onnx::Loop";
  if (!is_loop && !body.inputs.empty()) return std::nullopt; // a slice of what a Scan takes
  Names outer;
  for (const std::string& name : body.reads)
    if (!subject_.flow.is_stored(name)) outer.push_back(name);
  auto inputs = values_.of(outer);
  constexpr std::size_t counters = 2; // the number of the iteration, and whether it runs
  if (!inputs || body.inputs.size() > node.operands.size()) return std::nullopt;
  for (std::size_t i = 0; i < body.inputs.size(); ++i) {
    if (i < counters) {
      const Tensor first = tensor_of(i == 0 ? DType::int64 : DType::bool_, {}, {i == 0 ? 0. : 1.});
      inputs->push_back({body.inputs[i], first});
      continue;
    }
    const auto carried = values_.of({node.operands[i].value});
    if (!carried) return std::nullopt;
    inputs->push_back({body.inputs[i], carried->front().tensor});
  }
  return inputs;
}

void Reduction::seek() {
  cut_the_end();
  cut_the_beginning();
  leave_out_nodes();
  leave_out_outputs();
  forget_values();
}

void Reduction::cut_the_end() {
  const Nodes all = part_->cut.nodes;
  std::size_t passes = 0, fail = all.size();
  while (fail - passes > 1) {
    const std::size_t middle = passes + (fail - passes) / 2;
    const Nodes first(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(middle));
    (fails(first, subject_.flow.ends(first)) ? fail : passes) = middle;
  }
  // Other branches end where they were cut.
  const Names& last = subject_.flow.outline().nodes[all[fail - 1]].yields;
  fails(subject_.flow.makers(last, all), last);
}

/// Takes only nodes from which so few steps lead to the end.
void Reduction::cut_the_beginning() {
  const OnnxFlow& flow = subject_.flow;
  const FailingPart whole = *part_;
  const Names& outputs = whole.cut.outputs;
  std::set<std::string> wanted(outputs.begin(), outputs.end());
  std::set<std::size_t> near;
  for (std::size_t steps = 1, next = 1; near.size() < whole.cut.nodes.size(); ++steps) {
    std::set<std::string> behind;
    const std::size_t before = near.size();
    for (const std::size_t number : whole.cut.nodes) {
      const OnnxNode& node = flow.outline().nodes[number];
      if (std::ranges::none_of(node.yields, [&](auto& name) { return wanted.contains(name); }))
        continue;
      if (near.insert(number).second) behind.insert(node.reads.begin(), node.reads.end());
    }
    wanted = std::move(behind);
    if (near.size() == before) return; // the others do not lead to the end
    if (steps != next) continue;
    next = 2 * steps;
    if (fails({near.begin(), near.end()}, outputs)) return;
  }
}

void Reduction::leave_out_nodes() {
  for (std::size_t size = std::max<std::size_t>(1, part_->cut.nodes.size() / 2); size > 0;
       size /= 2)
    for (std::size_t at = 0; at < part_->cut.nodes.size();) {
      const Nodes& nodes = part_->cut.nodes;
      const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(at);
      const auto count = std::min(size, nodes.size() - at);
      const bool smaller = leave_out({first, first + static_cast<std::ptrdiff_t>(count)});
      if (!smaller) at += size;
    }
}

bool Reduction::leave_out(const Nodes& nodes) {
  const OnnxFlow& flow = subject_.flow;
  Nodes rest = without(part_->cut.nodes, [&](std::size_t number) {
    return std::ranges::find(nodes, number) != nodes.end();
  });
  if (rest.empty()) return false;
  const auto yielded = flow.yielded(rest);
  Names outputs =
      without(part_->cut.outputs, [&](const std::string& name) { return !yielded.contains(name); });
  if (outputs.empty()) outputs = flow.ends(rest);
  rest = flow.makers(outputs, rest);
  return !rest.empty() && fails(rest, outputs);
}

void Reduction::leave_out_outputs() {
  for (const std::string& name : Names(part_->cut.outputs)) {
    if (part_->cut.outputs.size() == 1) return;
    const Names outputs =
        without(part_->cut.outputs, [&](const std::string& other) { return other == name; });
    fails(subject_.flow.makers(outputs, part_->cut.nodes), outputs);
  }
}

/// A report should hold nothing of the user's that the failure does not need.
void Reduction::forget_values() {
  OnnxCut cut = part_->cut;
  cut.random_weights = candidate_ == nullptr; // which may store the same in another way
  if (cut.random_weights && !fails(cut)) cut.random_weights = false;
  bool is_changed = false;
  for (NamedTensor& input : cut.inputs)
    if (input.tensor.view.dtype == DType::float32) {
      input.tensor = random_tensor(DType::float32, input.tensor.view.shape, 0);
      is_changed = true;
    }
  random_inputs_ = is_changed && fails(cut);
}

bool Reduction::fails(const Nodes& nodes, const Names& outputs) {
  const auto given = values_.of(subject_.flow.read_from_outside(nodes));
  if (!given) return false;
  return std::ranges::any_of(forms_for(*given),
                             [&](Form form) { return fails_in(form, nodes, outputs, *given); });
}

/// That which made the failure come before is tried first.
std::vector<Reduction::Form> Reduction::forms_for(const NamedTensors& given) const {
  std::vector<Form> forms{form_};
  const auto add = [&](Form form, bool differs) {
    if (differs && form != form_) forms.push_back(form);
  };
  add(Form::inputs, true);
  add(Form::stored_integers, std::ranges::any_of(given, [](const NamedTensor& value) {
        return is_setting(value.tensor);
      }));
  add(Form::as_declared, std::ranges::any_of(given, [&](const NamedTensor& value) {
        return subject_.flow.is_free(value.name);
      }));
  return forms;
}

bool Reduction::fails_in(Form form, const Nodes& nodes, const Names& outputs,
                         const NamedTensors& given) {
  OnnxCut cut{nodes, outputs, {}, {}};
  cut.as_declared = form == Form::as_declared;
  if (only_loads(runner_)) // TensorRT infers no types of outputs
    cut.examples = values_.of(outputs).value_or(NamedTensors());
  for (const NamedTensor& value : given)
    (form == Form::stored_integers && is_setting(value.tensor) ? cut.constants : cut.inputs)
        .push_back(value);
  if (!fails(cut)) return false;
  form_ = form;
  return true;
}

bool Reduction::fails(const OnnxCut& cut) {
  require_time();
  std::optional<OnnxCut> other;
  if (candidate_ != nullptr && !(other = cut_of_candidate(cut))) return false;
  ++attempts_;
  tell();
  Attempt came = ask(cut, other);
  if (!failure_.is_like(came)) return false;
  part_ = FailingPart{cut, std::move(other), std::move(came)};
  return true;
}

/// The part of the other file that computes the same values of the same.
std::optional<OnnxCut> Reduction::cut_of_candidate(const OnnxCut& cut) const {
  const OnnxFlow& flow = candidate_->flow;
  OnnxCut other = cut;
  std::set<std::string> given;
  for (const auto* values : {&cut.inputs, &cut.constants})
    for (const NamedTensor& value : *values) given.insert(value.name);
  other.nodes = flow.makers(cut.outputs, flow.all(), given);
  const auto yielded = flow.yielded(other.nodes);
  if (!std::ranges::all_of(cut.outputs, [&](auto& name) { return yielded.contains(name); }))
    return std::nullopt;
  const Names read = flow.read_from_outside(other.nodes);
  if (!std::ranges::all_of(read, [&](auto& name) { return given.contains(name); }))
    return std::nullopt;
  return other;
}

Attempt Reduction::ask(const OnnxCut& cut, const std::optional<OnnxCut>& candidate) {
  const ScratchFolder folder, other_folder;
  const auto file = folder.path() / "part.onnx", other = other_folder.path() / "part.onnx";
  const VerifyRequest& verify = request_.verify;
  const Attempt unwritten{Answer::ran, "", {}};
  if (!write_cut(verify, subject_.model, cut, file)) return unwritten;
  if (candidate && !write_cut(verify, candidate_->model, *candidate, other)) return unwritten;
  if (failure_.answer() == Answer::differs)
    return compare_models(verify, file, candidate ? other : "", cut.inputs);
  Attempt came = try_model(verify, runner_, file, cut.inputs);
  const bool is_sound =
      !failure_.is_like(came) || !failure_.other() ||
      try_model(verify, *failure_.other(), file, cut.inputs).answer == Answer::ran;
  return is_sound ? came : unwritten;
}

void Reduction::require_time() const {
  if (std::chrono::steady_clock::now() > end_ && part_) throw OutOfTime{};
}

void Reduction::tell() const {
  const auto& progress = request_.verify.progress;
  if (!progress) return;
  const std::size_t nodes = part_ ? part_->cut.nodes.size() : subject_.flow.outline().nodes.size();
  progress("reducing: " + std::to_string(nodes) + " nodes still fail, attempt " +
           std::to_string(attempts_));
}

} // namespace model_validator::verify
