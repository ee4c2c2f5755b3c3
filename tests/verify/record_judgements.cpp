// Records the numbers that decide about the outputs of a pair, for tests of the judgement:
// `record_judgements NAME honest|wrong REFERENCE CANDIDATE [INPUTS]`; and with the records on its
// standard input, `record_judgements edges` finds one on the edge of each limit.
#include "command/judgement_record.h"
#include "verify/command/chosen_samples.h"
#include "verify/command/model_runs.h"
#include "verify/command/reference_reruns.h"

#include <model_validator/error.h>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace {

using namespace model_validator::verify;

constexpr std::size_t max_elements = 40;

/// Which elements to keep: every other index of the longest axis is left out, but not the worst
/// element's, until few are left.
class Cut {
public:
  Cut(Shape shape, std::size_t worst) : shape_(std::move(shape)) {
    std::size_t count = 1;
    for (const std::int64_t size : shape_) count *= static_cast<std::size_t>(size);
    for (std::size_t i = 0; i < count; ++i) kept_.push_back(i);
    auto at = static_cast<std::int64_t>(worst);
    for (std::size_t d = shape_.size(); d-- > 0; at /= shape_[d])
      worst_.insert(worst_.begin(), at % shape_[d]);
    while (kept_.size() > max_elements) halve();
  }

  const Shape& shape() const { return shape_; }
  std::vector<double> of(const std::vector<double>& numbers) const {
    std::vector<double> some;
    for (const std::size_t i : kept_) some.push_back(numbers.at(i));
    return some;
  }

private:
  void halve() {
    const auto axis = static_cast<std::size_t>(std::ranges::max_element(shape_) - shape_.begin());
    std::int64_t inner = 1;
    for (std::size_t d = axis + 1; d < shape_.size(); ++d) inner *= shape_[d];
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < kept_.size(); ++i)
      if (static_cast<std::int64_t>(i) / inner % shape_[axis] % 2 == worst_[axis] % 2)
        kept.push_back(kept_[i]);
    const std::int64_t first = worst_[axis] % 2;
    shape_[axis] = (shape_[axis] - first + 1) / 2;
    worst_[axis] /= 2;
    kept_ = std::move(kept);
  }

  Shape shape_;
  std::vector<std::size_t> kept_;
  std::vector<std::int64_t> worst_;
};

std::size_t worst_of(const std::vector<double>& one, const std::vector<double>& other) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    if (std::fabs(one[i] - other[i]) > std::fabs(one[worst] - other[worst])) worst = i;
  return worst;
}

bool all_finite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

void add(JudgementRecord& record, const std::string& kind, const Evidence::Runs& runs,
         const Cut& cut) {
  for (const auto& run : runs)
    if (all_finite(run)) record.runs[kind].push_back(cut.of(run));
}

void record_output(JudgementRecord record, const TensorView& reference, const TensorView& candidate,
                   Evidence& evidence) {
  const auto numbers = numbers_of(reference), others = numbers_of(candidate);
  if (is_integral(reference.dtype) || is_complex(reference.dtype) || numbers.empty() ||
      reference.shape != candidate.shape || !all_finite(numbers) || !all_finite(others))
    return;
  const Cut cut(reference.shape, worst_of(numbers, others));
  record.shape = cut.shape();
  record.reference = cut.of(numbers);
  record.candidate = cut.of(others);
  if (const NoiseFloor* floor = evidence.floor()) record.floor.value = floor->value;
  record.in_steps = evidence.rounds_to_steps();
  if (record.narrowing)
    add(record, "precision", evidence.in_precision_of_candidate(Evidence::narrowed_runs), cut);
  else
    add(record, "rounding", evidence.by_rounding(), cut);
  if (record.narrowing && record.narrowing->is_half())
    if (const auto exact = evidence.without_rounding())
      add(record, "unrounded", {exact->reference, exact->candidate}, cut);
  record.says = judged(record);
  write(record, std::cout);
}

void record_pair(const std::string& name, bool is_honest, const VerifyRequest& request) {
  ComparedPair pair = *open_pair(request);
  auto reference = run_reference_on_samples(pair);
  pair.steps = reference.steps;
  if (pair.generates) take_generated_calls(pair, reference);
  VerifyReport report;
  const auto candidate = run_candidate(pair, true, report);
  if (!candidate) return;
  ReferenceReruns runs(pair, reference);
  for (std::size_t i = 0; i < reference.samples.front().size(); ++i) {
    if (i >= candidate->samples.front().size()) continue;
    OutputEvidence evidence(runs, {0, i, i});
    JudgementRecord record;
    record.name = name + (i == 0 ? "" : "/" + std::to_string(i));
    record.is_honest = is_honest;
    record.narrowing = pair.narrowing_of(i);
    record_output(record, reference.samples.front()[i].tensor.view,
                  candidate->samples.front()[i].tensor.view, evidence);
  }
}

/// How many times as far off a record is called different; 0 where that is never or always so.
double edge_of(const JudgementRecord& record, const Limits& limits) {
  double low = 1e-3, high = 1e6;
  if (judged(farther_off(record, low), limits) != "same" ||
      judged(farther_off(record, high), limits) == "same")
    return 0;
  while (high / low > 1.0001) {
    const double middle = std::sqrt(low * high);
    (judged(farther_off(record, middle), limits) == "same" ? low : high) = middle;
  }
  return low;
}

void find_edges(const std::vector<JudgementRecord>& records) {
  for (const Limit& limit : list_of_limits)
    for (const JudgementRecord& record : records) {
      Limits more, less;
      limit.of(more) *= 1.1;
      limit.of(less) /= 1.1;
      const double edge = edge_of(record, {});
      if (edge == 0 || edge_of(record, more) < 1.02 * edge || edge_of(record, less) > 0.98 * edge)
        continue;
      write(Edge{std::string(limit.name), record.name, edge}, std::cout);
      break;
    }
}

} // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  try {
    if (words.size() == 1) {
      find_edges(read_judgement_records(std::cin));
    } else {
      VerifyRequest request;
      request.reference = words.at(2);
      request.candidate = words.at(3);
      if (words.size() > 4) request.inputs.files = {words[4]};
      request.threads = 1;
      record_pair(words.at(0), words.at(1) == "honest", request);
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
