#pragma once

#include <cstdio>
#include <string>
#include <unistd.h>

namespace model_validator::test {

/// Collects what is written to a C stream while it lives.
class Captured {
public:
  explicit Captured(FILE* stream) : stream_(stream), kept_(::dup(::fileno(stream))) {
    std::fflush(stream_);
    ::dup2(::fileno(into_), ::fileno(stream_));
  }
  ~Captured() {
    std::fflush(stream_);
    ::dup2(kept_, ::fileno(stream_));
    ::close(kept_);
    std::fclose(into_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  std::string text() const {
    std::fflush(stream_);
    std::string text;
    std::rewind(into_);
    for (int c = std::fgetc(into_); c != EOF; c = std::fgetc(into_)) text += static_cast<char>(c);
    return text;
  }

private:
  FILE* stream_;
  FILE* into_ = std::tmpfile();
  int kept_;
};

} // namespace model_validator::test
