#include "cli/exit_status.h"

#include "cli/terminal.h"
#include "report/style.h"
#include "text/escape.h"

#include <iostream>

namespace model_validator::cli {

void print_error(const Error& error) {
  const Paint paint(wants_color(ColorChoice::automatic, Stream::error));
  std::cerr << paint.red("error") << ": ";
  if (!error.path().empty()) std::cerr << escape(error.path()) << ": ";
  std::cerr << escape(error.what()) << '\n';
  if (!error.hint().empty())
    std::cerr << "  = " << paint.cyan("help") << ": " << escape_lines(error.hint()) << '\n';
}

} // namespace model_validator::cli
