#pragma once

#include "connected_graph/exported_program/program_file.h"
#include "connected_graph/shapes/size.h"

#include <model_validator/verify/inputs.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A size of an input as the exporter knew it: a number, or so many times a symbol.
struct ProgramSize {
  std::int64_t number = 0; ///< the size itself, or what the symbol is multiplied by
  std::string symbol;      ///< `s77`; empty for a size that is fixed
  bool known = true;       ///< any other expression is not checked
};

struct ProgramInput {
  std::string name;
  std::vector<ProgramSize> sizes;
  bool is_tensor = true;
};

struct SizeRange {
  std::int64_t low = 0;
  std::optional<std::int64_t> high;
};

/// What a program of torch.export takes: its inputs in order, and what their sizes must satisfy.
class ProgramInputs {
public:
  /// @throws what the JSON library throws for a program that torch.export would not write
  explicit ProgramInputs(const exported_program::Json& program);

  /// With the sizes of the example that the program was exported with, which it accepts.
  const std::vector<InputNeed>& needs() const noexcept { return needs_; }
  /// @param shapes  one per input; none for a number
  /// @throws Error (`bad-inputs`) naming the dimension that the program was not exported for
  void require(const std::vector<std::optional<Shape>>& shapes) const;

private:
  void add_tensor(const exported_program::Json& meta, shapes::Sizes& sizes, ProgramInput& input,
                  InputNeed& need);
  std::int64_t symbol_in(const ProgramInput& input, std::size_t dimension, std::int64_t size) const;
  void require_range(const ProgramInput& input, std::size_t dimension, std::int64_t value) const;

  std::vector<ProgramInput> inputs_;
  std::vector<InputNeed> needs_;
  std::map<std::string, SizeRange> ranges_;
};

} // namespace model_validator::verify
