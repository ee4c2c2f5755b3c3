#include "command/judgement_record.h"

#include <model_validator/verify/checker_settings.h>
#include <model_validator/verify/config.h>

#include <cmath>
#include <sstream>

namespace model_validator::verify {
namespace {

const std::vector<std::string>& kinds_of_runs() {
  static const std::vector<std::string> kinds{"rounding", "float64", "precision", "unrounded"};
  return kinds;
}

/// As differences from the reference, of which three digits are enough.
void write_differences(const char* what, const std::vector<double>& numbers,
                       const std::vector<double>& reference, std::ostream& to) {
  to << what;
  to.precision(3);
  for (std::size_t i = 0; i < numbers.size(); ++i) to << ' ' << numbers[i] - reference[i];
  to << '\n';
}

std::vector<double> numbers_in(std::istream& line) {
  std::vector<double> numbers;
  for (std::string word; line >> word;) numbers.push_back(std::stod(word));
  return numbers;
}

std::vector<double> sum_of(std::vector<double> differences, const std::vector<double>& reference) {
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] += reference.at(i);
  return differences;
}

class RecordedEvidence final : public Evidence {
public:
  explicit RecordedEvidence(const JudgementRecord& record) : record_(record) {}
  Runs by_rounding() override { return runs("rounding"); }
  Runs in_float64() override { return runs("float64"); }
  Runs in_precision_of_candidate(std::size_t max_runs) override {
    Runs found = runs("precision");
    found.resize(std::min(found.size(), max_runs));
    return found;
  }
  std::optional<Unrounded> without_rounding() override {
    const Runs both = runs("unrounded");
    return both.size() == 2 ? std::optional(Unrounded{both[0], both[1]}) : std::nullopt;
  }
  const NoiseFloor* floor() override { return &record_.floor; }
  bool rounds_to_steps() override { return record_.in_steps; }

private:
  Runs runs(const std::string& kind) const {
    const auto found = record_.runs.find(kind);
    return found == record_.runs.end() ? Runs{} : found->second;
  }
  const JudgementRecord& record_;
};

Tensor tensor_of(const std::vector<double>& numbers, const Shape& shape) {
  auto floats = std::make_shared<std::vector<float>>(numbers.begin(), numbers.end());
  return {contiguous_view(floats->data(), DType::float32, shape), floats};
}

void read_line(const std::string& key, std::istream& line, JudgementRecord& record) {
  if (key == "truth") {
    std::string truth;
    line >> truth;
    record.is_honest = truth == "honest";
  } else if (key == "shape") {
    for (std::int64_t size = 0; line >> size;) record.shape.push_back(size);
  } else if (key == "narrow") {
    Narrowing how;
    int results = 0, weights = 0;
    line >> results >> weights >> how.bits >> how.block >> how.per_channel >> how.has_zero_point;
    how.results = static_cast<Narrowing::Results>(results);
    how.weights = static_cast<Narrowing::Weights>(weights);
    record.narrowing = how;
  } else if (key == "floor") {
    line >> record.floor.value >> record.in_steps;
  } else if (key == "reference") {
    record.reference = numbers_in(line);
  } else if (key == "candidate") {
    record.candidate = sum_of(numbers_in(line), record.reference);
  } else if (key == "says") {
    line >> record.says;
  } else {
    record.runs[key].push_back(sum_of(numbers_in(line), record.reference));
  }
}

} // namespace

void write(const JudgementRecord& record, std::ostream& to) {
  to << "output " << record.name << "\ntruth " << (record.is_honest ? "honest" : "wrong")
     << "\nshape";
  for (const std::int64_t size : record.shape) to << ' ' << size;
  if (const auto& how = record.narrowing)
    to << "\nnarrow " << static_cast<int>(how->results) << ' ' << static_cast<int>(how->weights)
       << ' ' << how->bits << ' ' << how->block << ' ' << how->per_channel << ' '
       << how->has_zero_point;
  if (record.floor.value > 0 || record.in_steps)
    to << "\nfloor " << record.floor.value << ' ' << record.in_steps;
  to << "\nreference";
  to.precision(7);
  for (const double number : record.reference) to << ' ' << number;
  to << '\n';
  write_differences("candidate", record.candidate, record.reference, to);
  for (const std::string& kind : kinds_of_runs())
    if (const auto runs = record.runs.find(kind); runs != record.runs.end())
      for (const auto& run : runs->second)
        write_differences(kind.c_str(), run, record.reference, to);
  to << "says " << record.says << "\n\n";
}

std::vector<JudgementRecord> read_judgement_records(std::istream& from) {
  std::vector<JudgementRecord> records;
  for (std::string text; std::getline(from, text);) {
    std::istringstream line(text);
    std::string key;
    if (!(line >> key) || key == "#") continue;
    if (key == "output") {
      records.emplace_back();
      line >> records.back().name;
    } else {
      read_line(key, line, records.back());
    }
  }
  return records;
}

JudgementRecord farther_off(JudgementRecord record, double times) {
  for (std::size_t i = 0; i < record.candidate.size(); ++i)
    record.candidate[i] = record.reference[i] + times * (record.candidate[i] - record.reference[i]);
  return record;
}

std::string judged(const JudgementRecord& record, const Limits& limits) {
  const Tensor reference = tensor_of(record.reference, record.shape);
  const Tensor candidate = tensor_of(record.candidate, record.shape);
  const bool is_quantised = record.narrowing && !record.narrowing->is_half();
  CheckerSettings settings;
  settings.name = is_quantised ? "quantised" : "default";
  VerifyConfig config;
  config.value_checker = make_checker(settings);
  auto report = compare({reference}, {candidate}, config);
  RecordedEvidence evidence(record);
  OutputReport& output = report.outputs.at(0);
  OutputJudge(record.narrowing, evidence, limits, true)
      .judge(output, reference.view, candidate.view);
  for (const Verdict& verdict : output.verdicts)
    if (!verdict.passed) return verdict.check;
  return "same";
}

void write(const Edge& edge, std::ostream& to) {
  to.precision(6);
  to << edge.limit << ' ' << edge.record << ' ' << edge.times << '\n';
}

std::vector<Edge> read_edges(std::istream& from) {
  std::vector<Edge> edges;
  for (std::string text; std::getline(from, text);) {
    std::istringstream line(text);
    Edge edge;
    if (text.empty() || text.front() == '#') continue;
    line >> edge.limit >> edge.record >> edge.times;
    edges.push_back(edge);
  }
  return edges;
}

} // namespace model_validator::verify
