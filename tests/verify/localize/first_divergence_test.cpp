#include "verify/localize/first_divergence.h"

#include <ATen/ATen.h>
#include <catch2/catch.hpp>

using namespace model_validator::verify;

namespace {

at::Tensor numbers(double first) { return at::linspace(first, first + 1, 8); }

/// Ops one after another: what each gives, which other it reads, and what the candidate has.
struct Example {
  OpTrace trace;
  Tolerances tolerances;
  std::vector<at::Tensor> of_candidate;

  std::size_t op(const at::Tensor& result, std::vector<ResultId> reads, double tolerance = 1e-4) {
    TracedOp traced;
    traced.outputs.push_back(sketch_of(result));
    traced.producers = std::move(reads);
    traced.varies = true;
    trace.ops.push_back(std::move(traced));
    tolerances.ops.push_back(tolerance);
    return trace.ops.size() - 1;
  }
  void output(std::size_t op, double tolerance = 1e-4) {
    trace.outputs.push_back(trace.ops[op].outputs[0]);
    trace.results.push_back(ResultId{op, 0});
    tolerances.outputs.push_back(tolerance);
  }
  CandidateMatch match() const {
    const auto run = [&](const IntermediateRun& what) -> std::optional<std::vector<at::Tensor>> {
      for (std::size_t i = 0; i < of_candidate.size(); ++i)
        what.visit({std::to_string(i), "Op", {}, of_candidate[i]});
      return std::vector<at::Tensor>{of_candidate.back()};
    };
    return match_candidate(trace, tolerances, run, {});
  }
  ErrorSources sources() const { return sources_of_error(trace, tolerances, match()); }
};

using Ops = std::vector<std::size_t>;

} // namespace

TEST_CASE("an op is not wrong if the candidate has what is computed from it") {
  for (const bool is_hidden : {false, true}) {
    CAPTURE(is_hidden);
    Example example;
    const auto absent = example.op(numbers(50), {});
    const double sentinel = is_hidden ? 1e7 : 1; // beside it no error of the op would show
    const auto there = example.op(numbers(sentinel), {{absent, 0}}, 1e-2);
    const auto wrong = example.op(numbers(2), {{there, 0}});
    example.output(wrong);
    example.of_candidate = {numbers(sentinel * 1.001), numbers(2.5)};
    CHECK(example.sources().ops == Ops{absent, wrong});
    CHECK(example.sources().wrong == (is_hidden ? Ops{absent, wrong} : Ops{wrong}));
  }
}

TEST_CASE("results that nothing reads do not count") {
  Example example;
  const auto several = example.op(numbers(1), {});
  example.trace.ops[several].outputs.push_back(sketch_of(numbers(70))); // a last state
  const auto wrong = example.op(numbers(2), {{several, 0}});
  example.output(wrong);
  example.of_candidate = {numbers(1), numbers(2.5)};
  CHECK(example.sources().ops == Ops{wrong});
  example.output(several);
  example.trace.results.back() = ResultId{several, 1};
  CHECK(example.sources().ops == Ops{several});
}

TEST_CASE("where no output differs by more than its noise, errors before what is chosen count") {
  for (const double noise : {0.04, 0.06}) {
    Example example;
    const auto wrong = example.op(numbers(1), {});
    const auto chosen = example.op(numbers(2), {{wrong, 0}}, noise);
    const auto last = example.op(numbers(3), {{chosen, 0}}, 0.5);
    example.output(last, 0.5);
    example.of_candidate = {numbers(1.2), numbers(2), numbers(3)};
    CHECK(example.sources().wrong == (noise < 0.05 ? Ops{} : Ops{wrong}));
  }
}

TEST_CASE("what the candidate computes as one with later ops is right where these agree") {
  for (const double error : {1e-6, 0.04}) {
    Example example;
    const auto product = example.op(numbers(1), {}, 0.06);
    const auto scaled = example.op(numbers(2), {{product, 0}}, 0.06);
    const auto cut = example.op(numbers(3), {{scaled, 0}}, 0.06);
    const auto wrong = example.op(numbers(4), {{cut, 0}}, 0.06);
    example.output(wrong, 0.06);
    example.of_candidate = {numbers(3) * (1 + error), numbers(4.5)};
    CHECK(example.sources().wrong == (error < 0.01 ? Ops{wrong} : Ops{product, wrong}));
  }
}

TEST_CASE("what a candidate computes before what is replaced is not computed again") {
  Example example;
  for (int i = 0; i < 3; ++i) example.output(example.op(numbers(10 * i), {}));
  example.of_candidate = {numbers(0), numbers(11), numbers(21)};
  const CandidateMatch before = example.match();
  std::vector<std::string> shown;
  bool has_outputs = false;
  const auto run = [&](const IntermediateRun& what) -> std::optional<std::vector<at::Tensor>> {
    has_outputs = what.needs_outputs;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto name = std::to_string(i);
      if (!what.wanted(name)) continue;
      shown.push_back(name);
      what.visit({name, "Op", {}, numbers(10. * static_cast<double>(i))});
    }
    return std::vector<at::Tensor>{numbers(20)};
  };
  const auto match = [&](const std::optional<std::vector<Nearest>>& outputs) {
    return match_replaced(example.trace, example.tolerances, run, before, {{"1", numbers(10)}},
                          outputs);
  };
  const CandidateMatch after = match({});
  CHECK(shown == std::vector<std::string>{"1", "2"});
  CHECK(has_outputs);
  REQUIRE(after.results.size() == 3);
  for (std::size_t op = 0; op < 3; ++op) {
    CHECK(after.error_of(op) == 0);
    CHECK((before.error_of(op) == 0) == (op == 0));
    CHECK((after.results[op].equals == std::vector<ResultId>{{op, 0}}));
  }
  CHECK(match(after.outputs).outputs.size() == after.outputs.size());
  CHECK_FALSE(has_outputs);
}
