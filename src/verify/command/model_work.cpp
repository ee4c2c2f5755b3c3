#include "verify/command/model_work.h"

#include "files/process/value_file.h"
#include "files/temporary_folder.h"
#include "introspection/edge_model.h"
#include "verify/backends/litert_unrounded.h"
#include "verify/backends/onnx_moved.h"
#include "verify/backends/onnx_session.h"
#include "verify/backends/onnx_unrounded.h"
#include "verify/backends/openvino_unrounded.h"
#include "verify/command/carried_state.h"
#include "verify/command/edge_precision.h"
#include "verify/command/generation.h"
#include "verify/command/openvino_precision.h"
#include "verify/command/padding.h"
#include "verify/localize/layer_errors.h"
#include "verify/localize/stepped_values.h"
#include "verify/run/module_state.h"
#include "verify/run/narrow_execution.h"

#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/Generator.h>

#include <map>
#include <random>
#include <set>

namespace model_validator::verify {

namespace {

/// The float32 values that a file of ONNX computes, as the runtime types them; nothing runs.
std::set<std::string> float_values_of(const ModelFile& model) {
  const auto values = model.onnx->intermediates();
  std::vector<std::string> all;
  for (const OnnxValue& value : values->values()) all.push_back(value.name);
  OnnxVariant variant = values->variant(all, {});
  const OnnxSessionOptions options{1, false, "", std::move(variant.model),
                                   std::move(variant.weights)};
  std::set<std::string> names;
  for (const InputPort& value : open_onnx(model.path, options).outputs)
    if (value.dtype == DType::float32) names.insert(value.name);
  return names;
}

/// A candidate may keep state although the reference keeps none.
std::optional<std::size_t> steps_of_candidate(const ComparedPair& pair) {
  const bool as_it_needs = pair.candidate && !pair.request.steps && pair.calls() == 1;
  return as_it_needs ? std::nullopt : pair.steps;
}

/// Of halves in which nothing but what is stored is rounded.
Narrowing of_what_is_stored(Narrowing narrowing) {
  if (narrowing.weights == Narrowing::Weights::as_they_are)
    narrowing.weights = narrowing.results == Narrowing::Results::float16
                            ? Narrowing::Weights::float16
                            : Narrowing::Weights::bfloat16;
  narrowing.results = Narrowing::Results::as_they_are;
  return narrowing;
}

/// In dB: what keeps all but a thousandth of its energy is good, whatever rounding explains.
constexpr double good_layer = 30;

std::vector<LostLayer> find_lost_layers(const ComparedPair& pair, bool only_lost) {
  const ModelFile &reference = pair.reference, candidate = judged_candidate(pair);
  const auto inputs = arguments_of(pair.samples, reference).front();
  const auto rounded = [&] {
    ModelFile written = reference;
    written.onnx = NarrowedOnnx(pair, reference).make(pair.narrow->narrowing, 0);
    return shown_onnx(pair, written, inputs);
  };
  const auto is_imprecise = [&](const LayerRatio& found) {
    return !only_lost && found.kept < good_layer && found.kept < found.explained - margin_of_layer;
  };
  // Small probabilities may round to nothing.
  constexpr float greatest_share = 1.0001F;
  std::vector<LostLayer> lost;
  for (const LayerRatio& found :
       layer_ratios(shown_onnx(pair, reference, inputs), shown_onnx(pair, candidate, inputs),
                    rounded, only_lost)) {
    const bool is_lost = found.is_lost && found.greatest > greatest_share;
    if (is_lost || is_imprecise(found))
      lost.push_back({found.layer, found.layer.starts_with(found.first) ? "" : found.first,
                      found.kept, found.explained, found.greatest, is_lost});
  }
  return lost;
}

} // namespace

ModelFile judged_candidate(const ComparedPair& pair) {
  ModelFile model = *pair.candidate;
  if (model.onnx && pair.request.judge != "machine")
    model.onnx = onnx_in_float(model.onnx, temporary_folder());
  return model;
}

void limit_threads(const VerifyRequest& request) {
  if (request.threads != 0) at::set_num_threads(static_cast<int>(request.threads));
}

const std::vector<std::string>& names_of_inputs(const ComparedPair& pair, Side side) {
  return side == Side::candidate && pair.candidate_inputs ? pair.candidate_inputs->names
                                                          : pair.input_names;
}

ShowRun shown_onnx(const ComparedPair& pair, const ModelFile& model,
                   const std::vector<c10::IValue>& inputs) {
  const auto backend = BackendRegistry::builtin().find(model.own_backend());
  return [backend, input = model.backend_input(pair.input_names), inputs,
          options = pair.options_of_reference()](const IntermediateRun& run) {
    return backend->run_intermediates(input, inputs, options, run);
  };
}

NarrowedOnnx::NarrowedOnnx(const ComparedPair& pair, const ModelFile& model)
    : model_(model.onnx), float_values_(float_values_of(model)) {
  if (pair.candidate && pair.candidate->format == FileFormat::onnx)
    in_whole_numbers_ = values_in_whole_numbers(*pair.candidate->onnx);
  if (pair.candidate && pair.candidate->format == FileFormat::openvino_ir)
    in_whole_numbers_ = values_rounded_by_openvino_model(pair.candidate->path);
}

SharedOnnxModel NarrowedOnnx::make(const Narrowing& narrowing, std::uint64_t seed) const {
  return narrowed_onnx(*model_, temporary_folder(), narrowing, float_values_, in_whole_numbers_,
                       seed);
}

namespace {

/// What the stored numbers may be the rounding of.
std::vector<float> moved_within_steps(const FewBitWeight& weight, std::mt19937_64& random) {
  std::uniform_real_distribution<float> part(-0.5F, 0.5F);
  std::vector<float> moved = weight.numbers;
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += part(random) * weight.steps[i];
  return moved;
}

struct Made {
  bool is_complete; ///< nothing in the model is rounded any more
  bool is_guessed = false;
};
Made make_unrounded(const ComparedPair& pair, ModelFile& model, std::uint64_t seed,
                    const FindOwnWeight& find_own) {
  if (pair.candidate->format == FileFormat::onnx) {
    const auto below_zero =
        seed == 0 ? BelowZero::is_cut_off : BelowZero::is_kept_where_it_is_little;
    UnroundedModel made =
        unrounded_onnx(*model.onnx, pair.reference.onnx, temporary_folder(), find_own, below_zero);
    model.onnx = std::move(made.model);
    return {made.is_complete, made.is_guessed};
  }
  // A runtime may still read the one before.
  const auto to = temporary_folder() /
                  ("unrounded" + std::to_string(seed)).append(model.path.extension().string());
  const bool is_openvino = pair.candidate->format == FileFormat::openvino_ir;
  const bool is_of_onnx = pair.reference.format == FileFormat::onnx;
  UnroundedFile made = is_openvino ? write_unrounded_openvino(model.path, to, find_own,
                                                              is_of_onnx ? GateOrder::of_onnx
                                                                         : GateOrder::of_pytorch)
                                   : write_unrounded_litert(model.path, to, find_own);
  model.path = std::move(made.path);
  return {made.is_complete};
}

} // namespace

UnroundedWeights unround(const ComparedPair& pair, ModelFile& model, Misfits misfits,
                         std::uint64_t seed) {
  OwnWeights own(pair.reference.path);
  if (misfits == Misfits::left) own.leave_misfits();
  std::mt19937_64 random(seed);
  const auto find_own = [&](const FewBitWeight& weight) {
    auto found = own.of(weight);
    return found.empty() && seed != 0 && !weight.is_moved ? moved_within_steps(weight, random)
                                                          : found;
  };
  const ModelFile rounded = model;
  Made made = make_unrounded(pair, model, seed, find_own);
  if (!own.are_all_found() || !own.misfits().empty()) { // they may be layers with a norm folded in
    own.add_folded(ReadModel(pair.reference.path, pair.reference.options));
    own.begin_again();
    model = rounded;
    made = make_unrounded(pair, model, seed, find_own);
  }
  return {own.misfits(), made.is_complete, own.are_all_found(), made.is_guessed};
}

namespace {

std::map<std::string, ValueSteps> steps_of_values(const ModelFile& model) {
  if (model.format == FileFormat::openvino_ir) return steps_in_openvino_model(model.path);
  return steps_in_edge_model(read_litert_model(model.path));
}

/// In dB. Calibration sees few samples, and a value has a range of its own at each step of a
/// sequence: some of its numbers lie beyond it. A wrong scale or zero point loses more.
constexpr double least_kept = 10;

/// Values that are lost in the steps of the file, which calibration chose.
std::vector<LostLayer> find_lost_values(const ComparedPair& pair, bool only_lost) {
  const auto steps = steps_of_values(*pair.candidate);
  ModelFile exact = *pair.candidate;
  unround(pair, exact, Misfits::left);
  std::vector<LostLayer> lost;
  IntermediateRun what;
  what.needs_outputs = false;
  what.wanted = [&](const std::string& name) { return steps.contains(name); };
  what.visit = [&](const Intermediate& shown) {
    const auto ratio = ratio_in_steps(shown.tensor, steps.at(shown.name));
    const bool is_imprecise =
        !only_lost && ratio.kept < least_kept && ratio.kept < ratio.explained - margin_of_layer;
    if (ratio.is_lost || is_imprecise)
      lost.push_back({shown.name, "", ratio.kept, ratio.explained,
                      shown.tensor.abs().max().item<double>(), ratio.is_lost});
  };
  shown_outputs(shown_onnx(pair, exact, arguments_of(pair.samples, pair.reference).front()), what,
                "candidate");
  return lost;
}

} // namespace

/// Those of the request before.
void ModelWork::remove_results() const {
  std::filesystem::remove(value_file(folder_));
  for (std::size_t i = 0; std::filesystem::remove_all(results_folder(folder_, i)) > 0; ++i) {
  }
}

void ModelWork::answer(const RunRequest& request) {
  limit_threads(pair_.request);
  remove_results();
  pair_.steps = request.steps;
  if (request.kind == RunKind::layers || request.kind == RunKind::lost_layers) {
    const auto find = has_stepped_values(pair_) ? find_lost_values : find_lost_layers;
    return leave_value(find(pair_, request.kind == RunKind::lost_layers));
  }
  if (request.kind == RunKind::overflow)
    return leave_value(first_half_loss(
        shown_onnx(pair_, declared(), arguments_of(samples(), declared()).front())));
  for (std::size_t i = 0; i < request.count; ++i) {
    at::manual_seed(c10::default_rng_seed_val);
    const auto results = run(request.kind, request.first_seed + i);
    std::filesystem::create_directory(results_folder(folder_, i));
    write_results(results_folder(folder_, i), results);
  }
}

template <class T> void ModelWork::leave_value(T value) const {
  process::write_value(value_file(folder_), std::move(value));
}

const ModelFile& ModelWork::declared() const {
  return side_ == Side::reference ? pair_.reference : pair_.candidate_model();
}

/// Opening a model already runs code of its file.
const ModelFile& ModelWork::opened() {
  if (opened_) return *opened_;
  opened_ = open_declared(declared());
  if (pair_.request.training && opened_->module) put_into_training(*opened_->module);
  return *opened_;
}

const std::vector<Sample>& ModelWork::samples() const {
  return has_own_inputs() ? pair_.candidate_inputs->samples : pair_.samples;
}

/// The inputs that a model declares; an AOTInductor package has those of the reference.
const std::vector<InputNeed>& ModelWork::needs() const {
  return declared().needs.empty() ? pair_.reference.needs : declared().needs;
}

/// Whether a model takes the state that the other keeps.
bool ModelWork::takes_state() const {
  return pair_.state_taker == (has_own_inputs() ? StateTaker::candidate : StateTaker::reference);
}

/// The model that declares the types of the arguments: the reference, which is read again where
/// something else runs that takes the same.
const ModelFile& ModelWork::typed() {
  const ModelFile& reference = pair_.reference;
  if (has_own_inputs() || opened().path == reference.path || !reference.is_module())
    return opened();
  if (!typed_) typed_ = declare_model(reference.path, reference.options);
  return *typed_;
}

/// What calls take that give back the caches that the call before returned.
NextCall ModelWork::continued(const ModelFile& typed) const {
  struct Going {
    Sample last;
    Wires wires;
    SampleShape shape;
    std::vector<Tensor> tokens;
  };
  return [this, typed, going = Going{}](std::size_t sample, std::size_t step,
                                        const NamedTensors& outputs) mutable {
    if (step == 1)
      going = {samples().at(sample),
               wire_caches(needs(), outputs, pair_.request.wires),
               pair_.shapes.at(sample),
               {}};
    going.tokens.push_back(pair_.tokens.empty()
                               ? tokens_after(pair_.reference.needs, outputs, going.tokens)
                               : pair_.tokens.at(sample).at(step - 1));
    going.shape = later(going.shape, going.tokens.back());
    going.last =
        next_sample(needs(), going.wires, going.shape, going.last, outputs, going.tokens.back());
    return arguments_of({going.last}, typed).front();
  };
}

NextCall ModelWork::next_call(const ModelFile& typed) const {
  if (pair_.generates) return continued(typed);
  const auto& later = has_own_inputs() ? pair_.candidate_inputs->later : pair_.later;
  if (later.empty()) return {};
  return [this, &later, typed](std::size_t sample, std::size_t step, const NamedTensors& outputs) {
    Sample next = later.at(sample).at(step - 1);
    if (takes_state()) give_back_state(declared().needs, pair_.request.wires, outputs, next);
    return arguments_of({next}, typed).front();
  };
}

/// Leaves what outputs the two models are compared by.
void ModelWork::leave_outputs(RunResults& results) const {
  blank_what_means_nothing(needs(), pair_.shapes, results);
  if (takes_state()) leave_out_state(declared().needs, pair_.request.wires, results);
}

RunResults ModelWork::run(RunKind kind, std::uint64_t seed) {
  switch (kind) {
  case RunKind::perturbed: return run_perturbed(seed);
  case RunKind::narrowed: return run_narrowed(pair_.narrow->narrowing, seed);
  case RunKind::stored_narrowed:
    return run_narrowed(of_what_is_stored(pair_.narrow->narrowing), seed);
  case RunKind::float64: return run_interpreted(float64_execution);
  case RunKind::as_written:
    return run_candidate_rewritten(
        [](ModelFile& model) { model.onnx = onnx_in_float(model.onnx, temporary_folder()); });
  case RunKind::unrounded:
  case RunKind::unrounded_where_alike:
    return run_candidate_rewritten([&](ModelFile& model) {
      const bool leaves = kind == RunKind::unrounded_where_alike;
      leave_value(unround(pair_, model, leaves ? Misfits::left : Misfits::replaced, seed));
      if (pair_.reference.onnx) pair_.reference.onnx->forget(); // as large as what runs now
    });
  default: return run_as_it_is();
  }
}

RunResults ModelWork::run_as_it_is() {
  if (side_ == Side::reference)
    return run_by(declared().own_backend(), pair_.options_of_reference(), pair_.steps);
  return run_by(pair_.candidate_backend(), pair_.backend_options(), steps_of_candidate(pair_));
}

RunResults ModelWork::run_perturbed(std::uint64_t seed) {
  std::optional<MovedModule> moved;
  return run_by(declared().own_backend(), pair_.options_of_reference(), pair_.steps,
                [&](ModelFile& model, Arguments& arguments) {
                  move_by_roundings(arguments, seed);
                  if (model.module)
                    moved.emplace(*model.module, seed);
                  else if (model.format == FileFormat::onnx)
                    model.onnx = moved_onnx(model.onnx, temporary_folder(), seed);
                });
}

RunResults ModelWork::run_narrowed(const Narrowing& narrowing, std::uint64_t seed) {
  if (declared().format != FileFormat::onnx)
    return run_interpreted([&] { return narrow_execution(narrowing, seed); });
  return run_by(declared().own_backend(), pair_.options_of_reference(), pair_.steps,
                [&](ModelFile& model, Arguments&) {
                  if (!narrowed_) narrowed_.emplace(pair_, model);
                  model.onnx = narrowed_->make(narrowing, seed);
                  opened().onnx->forget();
                });
}

/// Where the file is changed before it runs.
RunResults ModelWork::run_candidate_rewritten(const std::function<void(ModelFile&)>& rewrite) {
  BackendOptions options = pair_.backend_options();
  options.optimise = false;
  return run_by(declared().own_backend(), options, pair_.steps,
                [&](ModelFile& model, Arguments&) { rewrite(model); });
}

RunResults ModelWork::run_by(const std::string& backend, const BackendOptions& options,
                             std::optional<std::size_t> steps, const Change& change) {
  ModelFile model = opened();
  const ModelFile& types = typed();
  const bool is_rerun = static_cast<bool>(change);
  std::vector<FailedSample> failed;
  Arguments arguments = arguments_of(samples(), types, pair_.chooses_samples ? &failed : nullptr);
  if (is_rerun) {
    for (auto& inputs : arguments) inputs = clone_inputs(inputs);
    change(model, arguments);
  }
  RunResults results = run_model(
      {&model, backend, options, names_of_inputs(pair_, side_), steps, pair_.request.random_seed,
       pair_.chooses_samples, next_call(types), is_rerun, side_ == Side::reference && !is_rerun},
      arguments, failed);
  if (model.names_gpu && options.device == "cpu")
    results.notes.push_back("`" + model.path.filename().string() +
                            "` was made for a GPU, which its code names; the CPU was used");
  leave_outputs(results);
  return results;
}

/// With the reference's inputs, by the interpreter.
RunResults ModelWork::run_interpreted(const MakeExecution& execution) {
  const ModelFile& model = opened();
  if (!model.module)
    throw Error(ErrorKind::not_runnable, declared().path.string(),
                "only a model that LibTorch runs can be run in another precision");
  if (has_own_inputs())
    throw Error(ErrorKind::not_runnable, declared().path.string(), "it takes inputs of its own");
  RunResults results = interpret(*model.module, execution, arguments_of(pair_.samples, model),
                                 pair_.calls(), next_call(model));
  leave_outputs(results);
  return results;
}

} // namespace model_validator::verify
