#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/diagnostic.h>

#include <string>

namespace model_validator {

/// `net.py:93:14`; without the column where none is recorded; empty for an unknown place.
std::string place(const SourceLocation& location);

/// A location for a diagnostic. Its line of Python is filled in by `lint`.
DiagnosticLocation location_of(const ConnectedGraph& graph, FrameId frame, std::string role);

/// `BasicBlock` of `torchvision.models.resnet.BasicBlock`.
std::string short_class(const std::string& class_name);

/// The module as a sentence names it: `` `layer1.relu` (ReLU) ``, the root as `the model itself
/// (ReLU)`; without the class where the file does not name it.
/// @param noun  goes before a path: `module `
std::string spoken_module(const Module& module, const std::string& noun = {});

/// `['relu1', 'relu2']`, as Python prints a list of strings.
std::string python_list(const std::vector<std::string>& names);

} // namespace model_validator
