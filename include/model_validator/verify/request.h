#pragma once

#include <model_validator/verify/inputs.h>
#include <model_validator/verify/render.h>
#include <model_validator/verify/report.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {
class ConnectedGraph;
}

namespace model_validator::verify {

/// What a candidate may be said to compute in, or to store its weights in.
inline constexpr std::array<std::string_view, 7> precision_words{
    "float16",          "bfloat16",     "int8",        "float16-weights",
    "bfloat16-weights", "int8-weights", "int4-weights"};

/// What `model_validator verify` is asked for.
struct VerifyRequest {
  std::filesystem::path reference;
  // the candidate: one of
  std::filesystem::path candidate; ///< a file; its format decides the backend unless one is named
  std::string backend;             ///< compiles the reference, or runs the candidate's file
  std::string command;             ///< with `{inputs}` and `{outputs}`
  /// Whose verdict is asked for of a candidate in few bits: that of its `file`, computed as it is
  /// written, or of this `machine`, whose kernels may lose some of it.
  std::string judge = "file";
  std::string candidate_precision; ///< one of `precision_words`; empty: as its file says
  std::filesystem::path golden;    ///< stored results
  // or none: only store results, or what they would be computed from
  std::filesystem::path save_golden;
  bool show_inputs = false;           ///< only say what each input is taken for
  std::filesystem::path write_inputs; ///< an `.npz` for the first sample, or a folder for all

  InputOptions inputs;
  std::string checker = "default";            ///< default, auto, allclose, full, same, exact,
                                              ///< quantised
  std::optional<std::string> pcc, rtol, atol; ///< `1e-5,logits=1e-3`
  std::optional<std::string> sqnr;            ///< in dB, likewise

  /// Calls per sample, one after the other; none: 3 for a model that keeps state, else 1.
  std::optional<std::size_t> steps;
  /// `present_0=past.0`: the output that is the next call's input.
  std::vector<std::string> wires;
  bool optimise = true;  ///< the candidate, where its runtime can; the reference never is
  bool training = false; ///< both models are put into training mode
  /// The seed of the models' own random numbers, in each call.
  std::optional<std::uint64_t> random_seed;
  bool auto_tolerance = false;
  bool allow_empty = false;      ///< an output of which no value was compared may pass
  bool require_coverage = false; ///< fails where a branch of the reference was never run
  bool localize = false;
  unsigned threads = 0;
  std::string device = "cpu";
  std::optional<std::chrono::milliseconds> timeout; ///< for each of reference and candidate
  /// Bytes that each may take, besides those of the program itself; none: any number.
  std::optional<std::uint64_t> max_memory;
  std::string sandbox = "auto"; ///< auto, require, off: how models are confined
  std::stop_token stop = {};    ///< ends what runs, and the verification
  /// Told what begins, for who waits; none: nobody does.
  std::function<void(std::string_view)> progress = {};
  std::string output_format = "text"; ///< text, json, junit
  std::filesystem::path report;       ///< HTML page to write
  std::string graph;                  ///< the reference's, as JSON, for that page
  bool color = false;
  Detail detail = Detail::folded; ///< of the text
  std::vector<std::filesystem::path> operator_libraries;
  /// Lints the reference, in the process that reads it. None: it is not linted.
  std::function<std::string(const ConnectedGraph&)> lint = {};
  /// Whether what that gave allows a verification.
  std::function<bool(const std::string&)> passes_lint = {};
};

/// What the exit status means.
enum class VerifyStatus { same = 0, different = 1, unreadable = 2, crashed = 3 };

/// What was found, ready to be displayed.
struct VerifyResult {
  VerifyStatus status = VerifyStatus::same;
  std::string output;    ///< in the format asked for
  VerifyReport report{}; ///< what it tells; empty where nothing was compared
};

/// Carries out a verification. Models run in separate processes: one that crashes, hangs or
/// exhausts memory is a finding.
/// @throws Error for a request that makes no sense, and for files that cannot be read;
/// (`interrupted`) when asked to stop
VerifyResult run_verification(const VerifyRequest& request);

} // namespace model_validator::verify
