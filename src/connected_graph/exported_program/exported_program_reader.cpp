#include "connected_graph/exported_program/exported_program_reader.h"

#include "connected_graph/exported_program/converter.h"

#include <model_validator/error.h>

namespace model_validator {

ConnectedGraph read_exported_program(const std::filesystem::path& file,
                                     const ReadOptions& options) {
  try {
    const exported_program::ProgramFile source(file);
    return exported_program::Converter(source, options).convert();
  } catch (const nlohmann::json::exception& error) {
    throw Error("damaged-exported-program", file.string(),
                "the exported program does not have the shape that torch.export writes",
                "export the model again");
  }
}

} // namespace model_validator
