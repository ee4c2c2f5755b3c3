#include "cli/exit_status.h"

#include "cli/terminal.h"
#include "report/style.h"
#include "text/escape.h"

#include <iostream>

namespace model_validator::cli {

namespace {

void print_help(const Paint& paint, const std::string& hint) {
  if (!hint.empty())
    std::cerr << "  = " << paint.cyan("help") << ": " << escape_lines(hint) << '\n';
}

} // namespace

void print_error(const Error& error) {
  const Paint paint(wants_color(ColorChoice::automatic, Stream::error));
  std::cerr << paint.red("error") << ": ";
  if (!error.path().empty()) std::cerr << escape(error.path()) << ": ";
  std::cerr << escape(error.what()) << '\n';
  print_help(paint, error.hint());
}

void print_warning(const std::string& sentence, const std::string& hint) {
  const Paint paint(wants_color(ColorChoice::automatic, Stream::error));
  std::cerr << paint.yellow("warning") << ": " << escape(sentence) << '\n';
  print_help(paint, hint);
}

} // namespace model_validator::cli
