// What a reader sends back: its report, its fixes or its error, as bytes that anyone may have
// written.
#include "files/process/error_bytes.h"
#include "fuzzer.h"
#include "lint/result_bytes.h"

#include <model_validator/error.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

using namespace model_validator;
using fuzz::Choices;

Diagnostic finding(Choices& choices) {
  Diagnostic d;
  d.rule = choices.name();
  d.message = choices.odd_name();
  d.severity = choices.of({Severity::error, Severity::warning, Severity::off});
  d.locations.resize(choices.below(4));
  for (DiagnosticLocation& location : d.locations)
    location = {{choices.name(), static_cast<int>(choices.below(300)), 0, 0},
                choices.path(),
                "call",
                choices.name()};
  d.notes.assign(choices.below(3), choices.name());
  if (choices.one_in(2))
    d.fix = Fix{
        Applicability::safe, choices.name(), {{choices.name(), {1, 0}, {1, 4}, "x"}}, Rewrite{}};
  return d;
}

FileResult result(Choices& choices) {
  FileResult made;
  made.report.path = choices.name();
  made.report.ops = choices.below(1000);
  made.report.checks = {{choices.name(), CheckStatus::failed, 1, {choices.name()}}};
  for (std::size_t left = choices.below(5); left > 0; --left)
    made.report.findings.push_back(finding(choices));
  if (choices.one_in(4))
    made.report.error = Error(ErrorKind::damaged_file, choices.name(), choices.name(), {});
  return made;
}

template <class Work> bool is_read(const Work& work) {
  try {
    work();
    return true;
  } catch (const std::runtime_error&) {
    return false; // also an Error: the bytes are not what a reader sends
  }
}

} // namespace

std::string fuzz::write_file(Choices& choices) {
  std::string bytes;
  switch (choices.below(3)) {
  case 0: bytes = to_bytes(result(choices)); break;
  case 1: bytes = fixes_to_bytes({finding(choices), finding(choices)}); break;
  default:
    bytes = process::error_to_bytes(Error(ErrorKind::unsafe_op, choices.name(), choices.name()));
  }
  damage(bytes, choices);
  return bytes;
}

bool fuzz::read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<Diagnostic> findings(2);
  is_read([&] { take_fixes(bytes, findings); });
  is_read([&] { process::error_from(bytes); });
  return is_read([&] {
    const std::string again = to_bytes(result_from(bytes));
    if (to_bytes(result_from(again)) != again)
      throw std::logic_error("a result changes on its way");
  });
}
