#include "connected_graph/exported_program/exported_program_reader.h"

#include "connected_graph/exported_program/converter.h"
#include "connected_graph/exported_program/json_errors.h"

namespace model_validator {

ConnectedGraph read_exported_program(const std::filesystem::path& file,
                                     const ReadOptions& options) {
  return exported_program::with_json_errors(file, [&] {
    const exported_program::ProgramFile source(file);
    return exported_program::Converter(source, options).convert();
  });
}

} // namespace model_validator
