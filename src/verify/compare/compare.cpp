#include "verify/compare/words.h"

#include <model_validator/data/contains.h>
#include <model_validator/verify/config.h>

#include <algorithm>
#include <iterator>

namespace model_validator::verify {

namespace {

/// The leaves of the two sides that belong together; one of them may be missing.
struct Pair {
  const Leaf* reference = nullptr;
  const Leaf* candidate = nullptr;
};

std::vector<Pair> match_by_name(const std::vector<Leaf>& references,
                                const std::vector<Leaf>& candidates) {
  const auto find = [](const std::vector<Leaf>& leaves, const std::string& path) -> const Leaf* {
    const auto found = std::ranges::find(leaves, path, &Leaf::path);
    return found == leaves.end() ? nullptr : &*found;
  };
  std::vector<Pair> pairs;
  for (const Leaf& leaf : references) pairs.push_back({&leaf, find(candidates, leaf.path)});
  for (const Leaf& leaf : candidates)
    if (find(references, leaf.path) == nullptr) pairs.push_back({nullptr, &leaf});
  return pairs;
}

std::vector<Pair> match_by_position(const std::vector<Leaf>& references,
                                    const std::vector<Leaf>& candidates) {
  std::vector<Pair> pairs(std::max(references.size(), candidates.size()));
  for (std::size_t i = 0; i < references.size(); ++i) pairs[i].reference = &references[i];
  for (std::size_t i = 0; i < candidates.size(); ++i) pairs[i].candidate = &candidates[i];
  return pairs;
}

SideInfo side_of(const Leaf& leaf) {
  const auto* tensor = std::get_if<Tensor>(&leaf.value.data);
  if (tensor == nullptr) return {kind_name(leaf.value), "", {}};
  return {"tensor", to_string(tensor->view.dtype), tensor->view.shape};
}

/// The same elements without the axes of size one.
TensorView squeezed(const TensorView& view) {
  TensorView result{view.data, view.dtype, {}, {}};
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    if (view.shape[axis] == 1) continue;
    result.shape.push_back(view.shape[axis]);
    result.strides.push_back(view.strides[axis]);
  }
  return result;
}

/// Whether both are floating-point, or both whole numbers.
bool differ_in_width(DType reference, DType candidate) {
  const auto whole = [](DType dtype) { return is_integral(dtype) && dtype != DType::bool_; };
  return (is_floating(reference) && is_floating(candidate)) ||
         (whole(reference) && whole(candidate));
}

/// Compares one output.
class OutputComparison {
public:
  OutputComparison(const VerifyConfig& config, OutputReport& output)
      : config_(config), output_(output) {}

  void run(const Pair& pair) {
    if (pair.reference != nullptr) output_.reference = side_of(*pair.reference);
    if (pair.candidate != nullptr) output_.candidate = side_of(*pair.candidate);
    if (pair.reference == nullptr || pair.candidate == nullptr) return report_missing(pair);
    const auto* reference = std::get_if<Tensor>(&pair.reference->value.data);
    const auto* candidate = std::get_if<Tensor>(&pair.candidate->value.data);
    if (reference != nullptr && candidate != nullptr)
      compare_tensors(reference->view, candidate->view);
    else
      compare_words(pair.reference->value, pair.candidate->value);
  }

private:
  void add(std::string check, bool passed, std::string message) {
    output_.verdicts.push_back({std::move(check), passed, std::move(message), ""});
  }

  void report_missing(const Pair& pair) {
    const std::string message = pair.candidate == nullptr
                                    ? "the candidate does not have this output"
                                    : "only the candidate has this output";
    if (config_.verify_size)
      add("presence", false, message);
    else
      output_.notes.push_back("not compared: " + message);
  }

  void compare_words(const Value& reference, const Value& candidate) {
    const auto* x = std::get_if<std::string>(&reference.data);
    const auto* y = std::get_if<std::string>(&candidate.data);
    if (x == nullptr || y == nullptr)
      add("kind", false,
          std::string("the reference is a ") + kind_name(reference) + ", the candidate a " +
              kind_name(candidate));
    else if (config_.verify_values)
      add("exact", *x == *y, *x == *y ? "equal strings" : "'" + *x + "' became '" + *y + "'");
  }

  void compare_tensors(const TensorView& reference, const TensorView& candidate) {
    if (config_.verify_dtype) compare_dtypes(reference.dtype, candidate.dtype);
    if (config_.verify_shape)
      add("shape", reference.shape == candidate.shape,
          reference.shape == candidate.shape
              ? to_string(reference.shape)
              : "Shape mismatch: framework_model.shape=torch.Size(" + to_string(reference.shape) +
                    "), compiled_model.shape=torch.Size(" + to_string(candidate.shape) + ")");
    if (config_.verify_values) compare_values(reference, candidate);
  }

  void compare_dtypes(DType reference, DType candidate) {
    if (reference == candidate) return add("dtype", true, to_string(reference));
    if (config_.allow_other_widths && differ_in_width(reference, candidate)) {
      output_.notes.push_back(std::string("the candidate returns ") + to_string(candidate) +
                              " where the reference returns " + to_string(reference));
      return;
    }
    add("dtype", false,
        std::string("Dtype mismatch: framework_model.dtype=torch.") + to_string(reference) +
            ", compiled_model.dtype=torch." + to_string(candidate));
  }

  void compare_values(const TensorView& reference, const TensorView& candidate) {
    const TensorView x = squeezed(reference), y = squeezed(candidate);
    const bool same_kind = is_complex(x.dtype) == is_complex(y.dtype);
    if (reference.shape == candidate.shape && same_kind)
      measure_pair(reference, candidate);
    else if (!config_.verify_shape && x.shape == y.shape && same_kind)
      measure_pair(x, y);
    else if ((config_.verify_shape && reference.shape != candidate.shape) ||
             (config_.verify_dtype && !same_kind))
      output_.notes.push_back("values not compared: the elements do not correspond one to one");
    else
      add("values", false,
          "the values cannot be compared: the elements of " + to_string(reference.shape) + " " +
              to_string(reference.dtype) + " and " + to_string(candidate.shape) + " " +
              to_string(candidate.dtype) + " do not correspond one to one");
  }

  void measure_pair(const TensorView& reference, const TensorView& candidate) {
    const ValueChecker& checker = *config_.value_checker;
    MetricOptions options;
    options.closeness = checker.closeness(output_.name, reference.dtype);
    options.scales_beyond = checker.scales_beyond(output_.name, reference.dtype);
    options.worst = config_.worst;
    options.histogram = config_.histogram;
    options.threads = config_.threads;
    output_.metrics = measure(reference, candidate, options);
    const ComparedOutput compared{output_.name, reference, candidate, *output_.metrics};
    for (Verdict& verdict : checker.check(compared, output_.notes))
      output_.verdicts.push_back(std::move(verdict));
    output_.least_rtol = checker.least_rtol(compared);
    count_mismatches(compared, options);
    note_nan(*output_.metrics);
  }

  /// NaN on both sides counts as equal, but hides whatever it was computed from.
  void note_nan(const Metrics& metrics) {
    if (metrics.nan_on_both == 0) return;
    output_.notes.push_back(metrics.nan_on_both == metrics.elements
                                ? "every element is NaN on both sides: no value was compared"
                                : share(metrics.nan_on_both, metrics.elements) +
                                      " are NaN on both sides; the others were compared");
  }

  void count_mismatches(const ComparedOutput& compared, MetricOptions options) {
    const std::optional<double> bound = config_.value_checker->absolute_bound(compared);
    if (!bound) {
      output_.mismatch_rule = rule_text(options.closeness.at(0));
      output_.mismatched = compared.metrics.violations.at(0);
      return;
    }
    output_.allowed = bound;
    const Closeness rule{0, *bound, Denominator::reference};
    output_.mismatch_rule = rule_text(rule);
    output_.mismatched = compared.metrics.non_finite_mismatches;
    if (compared.metrics.max_abs <= *bound) return;
    options.closeness = {rule};
    options.scales_beyond.reset();
    options.worst = 0;
    options.histogram = false;
    output_.mismatched = measure(compared.reference, compared.candidate, options).violations.at(0);
  }

  const VerifyConfig& config_;
  OutputReport& output_;
};

std::string output_name(const Pair& pair) {
  const std::string& path = (pair.reference != nullptr ? pair.reference : pair.candidate)->path;
  return path.empty() ? "output" : path;
}

/// Where the two are matched by position, each side's own name is a name of the output.
std::vector<OutputNames> names_of(const std::vector<Pair>& pairs) {
  std::vector<OutputNames> names;
  for (const Pair& pair : pairs) {
    names.push_back({output_name(pair), {std::to_string(names.size())}});
    if (pair.candidate != nullptr) names.back().aliases.push_back(pair.candidate->path);
  }
  return names;
}

bool named(const Value& value) { return std::holds_alternative<Dict>(value.data); }

} // namespace

VerifyReport compare(const Value& reference, const Value& candidate, const VerifyConfig& config,
                     std::size_t sample) {
  VerifyReport report;
  report.checker = config.value_checker->name();
  if (!config.enabled) {
    report.notes.push_back("verification is off: nothing was compared");
    return report;
  }
  const std::vector<Leaf> references = flatten(reference), candidates = flatten(candidate);
  if (config.verify_size && references.size() != candidates.size())
    report.incidents.push_back(
        {IncidentKind::number_of_outputs,
         "Number of outputs from framework model and compiled model do not match: framework model "
         "has " +
             std::to_string(references.size()) + " outputs, compiled model has " +
             std::to_string(candidates.size()) + " outputs",
         "", true});
  const std::vector<Pair> pairs = named(reference) && named(candidate)
                                      ? match_by_name(references, candidates)
                                      : match_by_position(references, candidates);
  VerifyConfig for_these = config;
  if (auto checker = config.value_checker->for_outputs(names_of(pairs)))
    for_these.value_checker = std::move(checker);
  for (const Pair& pair : pairs) {
    OutputReport& output = report.outputs.emplace_back();
    output.name = output_name(pair);
    output.sample = sample;
    OutputComparison(for_these, output).run(pair);
  }
  return report;
}

void merge(VerifyReport& report, VerifyReport sample) {
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  if (report.precision.empty()) report.precision = sample.precision;
  append(report.incidents, sample.incidents);
  append(report.outputs, sample.outputs);
  append(report.ops, sample.ops);
  append(report.advice, sample.advice);
  for (std::string& note : sample.notes)
    if (!contains(report.notes, note)) report.notes.push_back(std::move(note));
}

} // namespace model_validator::verify
