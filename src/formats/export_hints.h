#pragma once

namespace model_validator {

// How what lies in a file becomes a model that can be read.

inline constexpr const char* export_hint =
    "export the model: `torch.export.save(torch.export.export(model, inputs), \"model.pt2\")`";
inline constexpr const char* load_hint =
    "load it in Python and export it: "
    "`torch.export.save(torch.export.export(model, inputs), \"model.pt2\")`";
inline constexpr const char* load_weights_hint =
    "build the model in Python, load the weights with "
    "`model.load_state_dict(torch.load(path))`, and export it: "
    "`torch.export.save(torch.export.export(model, inputs), \"model.pt2\")`";

} // namespace model_validator
