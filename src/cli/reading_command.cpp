#include "cli/reading_command.h"

#include "cli/exit_status.h"
#include "connected_graph/front_end_library.h"
#include "files/process/byte_archive.h"
#include "lint/printed_lines.h"
#include "lint/reader_confinement.h"
#include "text/guarded_output.h"

#include <iostream>

namespace model_validator::cli {

template <class Archive> void describe(Archive& archive, Warning& warning) {
  archive(warning.sentence, warning.hint);
}

namespace {

using process::WorkerResult;

/// What is found, as bytes.
struct Shipped {
  std::string text;
  std::vector<Warning> warnings;
  int status = 0;
};
template <class Archive> void describe(Archive& archive, Shipped& shipped) {
  archive(shipped.text, shipped.warnings, shipped.status);
}

std::string to_bytes(Findings& found) {
  Shipped shipped{std::move(found.output).str(), std::move(found.warnings), found.status};
  process::ByteWriter writer;
  writer(shipped);
  return writer.bytes();
}

process::Confinement confinement_of(const Reading& reading) {
  auto confinement = confinement_of_reader(reading.models, reading.beside, reading.policy);
  if (!reading.writable.empty()) {
    confinement.permissions.purpose = process::Purpose::run;
    confinement.permissions.writable.push_back(reading.writable);
  }
  return confinement;
}

void print(const Shipped& shipped, const std::string& printed) {
  for (const std::string& line : printed_lines(printed))
    GuardedStream(std::cerr, false) << "the model printed: " << line << '\n';
  for (const Warning& warning : shipped.warnings) print_warning(warning.sentence, warning.hint);
}

} // namespace

std::optional<Warning> early_end(const ConnectedGraph& graph, const Trace& trace) {
  const std::string why = why_ended(graph, trace);
  if (why.empty()) return std::nullopt;
  return Warning{why,
                 "what comes after is unknown; `--run-values` runs the model with real values"};
}

CommandOutput read_confined(const Reading& reading, const std::function<void(Findings&)>& work) {
  const WorkerResult result = process::run_worker(
      [&] {
        Findings found;
        work(found);
        return to_bytes(found);
      },
      confinement_of(reading),
      [&](const std::string& library) { load_for_workers(library, reading.options); });
  if (result.ending != WorkerResult::Ending::done)
    throw error_of(result, reading.models.front().string(), reading.policy);
  if (const std::string open = process::missing_protection(reading.policy.sandbox); !open.empty())
    print_warning(open, "`--sandbox require` refuses to read without");
  Shipped shipped;
  process::ByteReader reader(result.bytes);
  reader(shipped);
  print(shipped, result.printed);
  return {std::move(shipped.text), shipped.status};
}

} // namespace model_validator::cli
