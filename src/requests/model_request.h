#pragma once

#include "report/style.h"
#include "requests/calls.h"
#include "requests/reading.h"
#include "requests/request_options.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// One use of a command that reads models and says what it finds, by whoever asks: on the command
/// line, or by a call of another program.
class ModelRequest {
public:
  enum class Asked : bool { by_command, by_call };

  virtual ~ModelRequest() = default;
  /// Its own options, besides the format, limits and libraries of operators.
  virtual void describe(OptionVisitor&, Asked) {}
  /// Whether it writes more than its answer, so that an interruption has something to remove.
  virtual bool writes() const { return false; }
  /// Reads whatever it needs besides models. @throws Error
  virtual void prepare() {}
  /// Other files that the user names, which the reader may open.
  virtual std::vector<std::filesystem::path> beside() const { return {}; }
  /// What takes long, for a line on the terminal; empty: nothing does.
  virtual std::string takes_long() const { return {}; }
  /// In the process that reads the models. @throws Error
  virtual void run(Findings& found) const = 0;
  /// After that, in the one that asked.
  virtual void finish() {}

  std::vector<CalledModel> models;
  std::string format;
  Style style;
  ReadingLimits limits;
  ReadOptions read{.operator_libraries = {}, .file_operators = false}; // which only targets need
  std::filesystem::path writable; ///< a folder for what it writes; empty: none
  std::stop_token stop;           ///< requested when what was written is to be removed
};

/// What it reads, where, and with which limits.
Reading reading_of(const ModelRequest& request);

/// A model as it is traced where inputs are given.
class TracingRequest : public ModelRequest {
public:
  void describe(OptionVisitor& visitor, Asked) override {
    visitor.group("Inputs");
    describe_trace(visitor, choice_);
  }
  void prepare() override { trace = choice_.options(); }
  std::vector<std::filesystem::path> beside() const override {
    return trace ? trace->inputs.files : std::vector<std::filesystem::path>{};
  }

protected:
  std::optional<TraceOptions> trace;

private:
  TraceChoice choice_;
};

/// Such a command, described once: its options on the command line, completion and manual, and
/// those of calls, follow from it.
struct ModelCommand {
  struct Model {
    const char* name; ///< `MODEL`
    const char* help;
  };

  const char* name;
  std::vector<Model> models;
  bool piped;                            ///< `-` stands for standard input
  Option format;                         ///< of the command; the first word where it is left out
  std::vector<std::string> call_formats; ///< likewise; empty: other programs have no such call
  const char* verbose;                   ///< what `-v` does; null: there is none
  bool colored;                          ///< whether its text may be
  const char* closing;                   ///< ends its help; null: as the program's does
  std::unique_ptr<ModelRequest> (*make)();
};

const std::vector<ModelCommand>& model_commands();
/// Null where there is none of that name.
const ModelCommand* find_model_command(std::string_view name);

/// The graph of a model as JSON. @throws Error
void write_graph(const CalledModel& model, const std::optional<TraceOptions>& trace,
                 const ReadOptions& read, Findings& found);

std::unique_ptr<ModelRequest> make_graph_request(), make_inspect_request(), make_diff_request(),
    make_partition_request(), make_quantise_plan_request();

} // namespace model_validator
