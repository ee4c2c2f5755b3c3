#pragma once

#include <model_validator/verify/report.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// How many elements err by how much, as an SVG element. Both axes are logarithmic; equal elements
/// are drawn separately at the left.
/// @param allowed  drawn as a line where it is known
std::string histogram_chart(const Histogram& histogram, std::optional<double> allowed,
                            const std::string& label);

/// The error of each op in the order they run, next to the allowed error, as an SVG element. The
/// first that differs is marked; hovering names the op.
std::string op_chart(const std::vector<OpComparison>& ops);

} // namespace model_validator::verify
