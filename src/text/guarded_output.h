#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace model_validator {

/// A line of a report, made harmless to its readers: control and format characters and bytes that
/// are not UTF-8 become visible (all but tabs, and colours where they are wanted), and nothing in
/// it is a command of a build server, which obeys lines that begin with `::` and words such as
/// `##[add-path]` anywhere in a line.
/// @param begins  false for the rest of a line that was begun before
std::string guarded_line(std::string_view line, bool color, bool begins = true);

/// Where the next word begins that some build server obeys in the middle of a line, such as
/// `##[warning]`; npos where there is none.
std::size_t find_command_word(std::string_view text, std::size_t from = 0);

/// A report passes through this on its way out, so that a name that its writer forgot to escape
/// reaches no terminal and no build server. Whole lines are passed on, and the rest when flushed.
class GuardedBuffer final : public std::streambuf {
public:
  GuardedBuffer(std::streambuf& target, bool color) : target_(target), color_(color) {}

protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

private:
  bool pass_on(std::string_view part);
  bool pass_on_lines();

  std::streambuf& target_;
  bool color_;
  bool begins_ = true; ///< the next character is the first of its line
  std::string pending_;
};

/// A stream in front of another.
class GuardedStream final : public std::ostream {
public:
  GuardedStream(std::ostream& target, bool color)
      : std::ostream(nullptr), buffer_(*target.rdbuf(), color) {
    rdbuf(&buffer_);
  }
  ~GuardedStream() override { flush(); }
  GuardedStream(const GuardedStream&) = delete;
  GuardedStream& operator=(const GuardedStream&) = delete;

private:
  GuardedBuffer buffer_;
};

} // namespace model_validator
