#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

namespace model_validator::cli {

/// Has Graphviz draw a graph, by running its program `dot`.
/// @param dot  the graph in Graphviz's language
/// @param limit  of processor time: drawing a graph may take hours
/// @throws Error (`graphviz-missing`; `graphviz-failed`, then nothing is written)
void write_svg(std::ostream& out, const std::string& dot, std::chrono::seconds limit);

} // namespace model_validator::cli
