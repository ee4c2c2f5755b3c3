#include "requests/reading.h"

#include "files/process/byte_archive.h"
#include "libraries/front_end_library.h"
#include "lint/reader_confinement.h"
#include "text/printed_lines.h"

#include <stdexcept>

namespace model_validator {

template <class Archive> void describe(Archive& archive, Warning& warning) {
  archive(warning.sentence, warning.hint);
}

template <class Archive> void describe(Archive& archive, ReadingResult& result) {
  archive(result.text, result.warnings, result.status);
}

namespace {

using process::WorkerResult;

ReadingResult result_of(Findings found) {
  return {std::move(found.output).str(), std::move(found.warnings), {}, found.status};
}

std::string to_bytes(ReadingResult result) {
  process::ByteWriter writer;
  writer(result);
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

void warn_of_missing_protection(process::SandboxMode sandbox, ReadingResult& result) {
  const std::string open = process::missing_protection(sandbox);
  if (open.empty()) return;
  result.warnings.insert(result.warnings.begin(),
                         {open, "`--sandbox require` refuses to read without it"});
}

} // namespace

std::optional<Warning> early_end(const ConnectedGraph& graph, const Trace& trace) {
  const std::string why = why_ended(graph, trace);
  if (why.empty()) return std::nullopt;
  return Warning{why,
                 "what comes after is unknown; `--run-values` runs the model with real values"};
}

ReadingResult read_in_place(const std::function<void(Findings&)>& work) {
  Findings found;
  work(found);
  return result_of(std::move(found));
}

ReadingResult read_confined(const Reading& reading, const std::function<void(Findings&)>& work) {
  const WorkerResult ended = process::run_worker(
      [&] { return to_bytes(read_in_place(work)); }, confinement_of(reading),
      [&](const std::string& library) { load_for_workers(library, reading.options); });
  if (ended.ending != WorkerResult::Ending::done)
    throw error_of(ended, reading.models.front().string(), reading.policy);
  ReadingResult result;
  try {
    process::ByteReader reader(ended.bytes);
    reader(result);
  } catch (const std::runtime_error&) {
    throw process::unreadable_result(reading.models.front().string());
  }
  result.printed = printed_lines(ended.printed);
  warn_of_missing_protection(reading.policy.sandbox, result);
  return result;
}

} // namespace model_validator
