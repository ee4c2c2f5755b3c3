#include "cli/console/exit_status.h"

#include "cli/console/terminal.h"
#include "report/style.h"
#include "text/escape.h"
#include "text/guarded_output.h"

#include <iostream>

namespace model_validator::cli {

namespace {

/// Sentences on standard error, which a build server reads as well.
class ErrorLines {
public:
  ErrorLines()
      : paint_(wants_color(ColorChoice::automatic, Stream::error)),
        out_(std::cerr, wants_color(ColorChoice::automatic, Stream::error)) {}

  const Paint& paint() const noexcept { return paint_; }
  std::ostream& out() noexcept { return out_; }
  void help(const std::string& hint) {
    if (!hint.empty()) out_ << "  = " << paint_.cyan("help") << ": " << escape(hint) << '\n';
  }

private:
  Paint paint_;
  GuardedStream out_;
};

} // namespace

void print_error(const Error& error) {
  ErrorLines lines;
  lines.out() << lines.paint().red("error") << ": ";
  if (!error.path().empty()) lines.out() << escape(error.path()) << ": ";
  lines.out() << escape(error.what()) << '\n';
  lines.help(error.hint());
}

void print_warning(const std::string& sentence, const std::string& hint) {
  ErrorLines lines;
  lines.out() << lines.paint().yellow("warning") << ": " << escape(sentence) << '\n';
  lines.help(hint);
}

} // namespace model_validator::cli
