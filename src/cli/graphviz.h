#pragma once

#include <iosfwd>
#include <string>

namespace model_validator::cli {

/// Has Graphviz draw a graph, by running its program `dot`.
/// @param dot  the graph in Graphviz's language
/// @throws Error (`graphviz-missing`, `graphviz-failed`)
void write_svg(std::ostream& out, const std::string& dot);

} // namespace model_validator::cli
