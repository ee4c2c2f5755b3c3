#pragma once

#include <model_validator/graph_reader.h>

#include <string>

namespace model_validator {

/// Reads the files of one format. Stateless: `read` may be called from several threads at once.
class FrontEnd {
public:
  virtual ~FrontEnd() = default;
  /// Does the setup that all reads share: loads the operator libraries, and fills LibTorch's own
  /// tables. For the process that readers are forked from, so that they need not repeat it.
  /// @throws Error (`bad-op-library`)
  virtual void prepare(const ReadOptions& options) const = 0;
  /// @throws Error
  virtual ConnectedGraph read(const std::filesystem::path& file,
                              const ReadOptions& options) const = 0;
  /// A file's code and objects as JSON, for whoever writes Python of them. @throws Error
  virtual std::string code(const std::filesystem::path& file, const ReadOptions& options) const = 0;
};

/// The name of the function that returns a front end library's FrontEnd.
inline constexpr const char* front_end_factory = "model_validator_front_end";
/// Its type. The front end lives as long as the library.
using FrontEndFactory = const FrontEnd* (*)();

} // namespace model_validator
