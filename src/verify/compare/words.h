#pragma once

#include <model_validator/verify/metrics.h>

#include <string>

namespace model_validator::verify {

/// A number for people: at most `digits` significant digits, `nan`, `inf`, `-inf`.
std::string number(double value, int digits = 6);

/// `3 of 1000 elements (0.3%)`
std::string share(std::int64_t part, std::int64_t whole);

/// `|d| ≤ 1e-08 + 1e-05 · |candidate|`
std::string rule_text(const Closeness& rule);

/// `1.0003 · reference + 2e-05`
std::string fit_text(const LinearFit& fit);

/// `(0, 3)`, as PyTorch prints an index.
std::string index_text(const std::vector<std::int64_t>& index);

/// The first values of a tensor: `tensor([1, 2, 3, …], shape=[2, 50])`.
std::string preview(const TensorView& view);

} // namespace model_validator::verify
