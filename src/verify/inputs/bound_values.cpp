#include "verify/inputs/bound_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace model_validator::verify {
namespace {

constexpr double beside = 1.0 / 64; ///< as a share of a bound

std::set<double> reals_around(const std::vector<double>& bounds) {
  constexpr double tiny = 1e-4;
  std::set<double> values;
  for (const double bound : bounds) {
    const double size = bound == 0 ? 1 : std::abs(bound);
    for (const double distance : {-1.0, -beside, 0.0, beside, 1.0})
      values.insert(bound + distance * size);
    if (bound == 0) values.insert({-tiny, tiny});
  }
  return values;
}

std::set<double> whole_around(const std::vector<double>& bounds) {
  std::set<double> values;
  for (const double bound : bounds)
    for (const double distance : {-1.0, 0.0, 1.0}) values.insert(std::floor(bound) + distance);
  return values;
}

bool is_bool(DType dtype) { return dtype == DType::bool_; }

bool is_unsigned(DType dtype) {
  return dtype == DType::uint8 || dtype == DType::uint16 || dtype == DType::uint32 ||
         dtype == DType::uint64;
}

/// Whether nothing but the graph says what its values may be.
bool is_free(const InputNeed& need) {
  const InputRole role = need.meaning.role;
  return role == InputRole::unknown || role == InputRole::image || role == InputRole::sound;
}

/// A few rows are all tried.
std::set<double> rows_to_try(const InputNeed& need) {
  constexpr std::int64_t few = 8;
  const std::int64_t rows = need.meaning.rows;
  std::set<double> values;
  for (const double value : whole_around(need.meaning.bounds))
    if (need.meaning.cut_off || (value >= 0 && (rows == 0 || value < static_cast<double>(rows))))
      values.insert(value);
  for (std::int64_t row = 0; rows <= few && row < rows; ++row)
    values.insert(static_cast<double>(row));
  return values;
}

/// Where the bits of whole numbers end, of which there are few.
std::vector<double> ends_of(DType dtype) {
  switch (dtype) {
  case DType::uint8: return {127, 255};
  case DType::int8: return {-128, 127};
  case DType::uint16: return {32'767, 65'535};
  case DType::int16: return {-32'768, 32'767};
  default: return {};
  }
}

std::set<double> within(const std::set<double>& values, DType dtype) {
  const auto ends = ends_of(dtype);
  if (ends.empty()) return values;
  const double low = is_unsigned(dtype) ? 0 : ends.front();
  return {values.lower_bound(low), values.upper_bound(ends.back())};
}

std::set<double> values_at_bounds(const InputNeed& need, DType dtype) {
  const auto& bounds = need.meaning.bounds;
  if (need.meaning.role == InputRole::rows) return rows_to_try(need);
  if (!is_free(need)) return {};
  if (is_bool(dtype)) return {0, 1};
  if (!is_integral(dtype))
    return need.meaning.calibrated ? std::set<double>{} : reals_around(bounds);
  std::set<double> values = whole_around(bounds);
  if (need.meaning.role == InputRole::unknown) values.merge(whole_around(ends_of(dtype)));
  values.erase(values.begin(), values.lower_bound(0));
  return within(values, dtype);
}

std::set<double> negative_values(const InputNeed& need, DType dtype) {
  if (need.meaning.role != InputRole::unknown || !is_integral(dtype) || is_bool(dtype) ||
      is_unsigned(dtype))
    return {};
  constexpr double lowest = -9;
  std::set<double> values = whole_around(need.meaning.bounds);
  values.merge(whole_around(ends_of(dtype)));
  values.erase(values.lower_bound(0), values.end());
  for (double value = lowest; value < 0; ++value) values.insert(value);
  return within(values, dtype);
}

/// Large multiples of what whole numbers are divided by: where remainders begin anew, which a
/// smaller type, or a float, takes for their neighbours.
std::set<double> large_multiples(const std::vector<double>& bounds, DType dtype) {
  constexpr double beyond_float = 1 << 25, beyond_int = 1LL << 31, beyond_uint = 1LL << 33;
  std::set<double> values;
  for (const double bound : bounds)
    for (const double large : {beyond_float, beyond_int, beyond_uint}) {
      if (bound < 2 || (large > beyond_float && dtype != DType::int64)) continue;
      const double multiple = std::ceil(large / bound) * bound;
      values.insert({multiple - 1, multiple});
    }
  return values;
}

/// Products of ids and constants leave 32 bits long before the ids do.
std::set<double> values_beyond_32_bits(const InputNeed& need, DType dtype) {
  if (!need.meaning.hashed || need.meaning.rows != 0 || need.meaning.role != InputRole::unknown)
    return {};
  if (dtype != DType::int64 && dtype != DType::int32) return {};
  std::set<double> values = large_multiples(need.meaning.bounds, dtype);
  values.insert({65'537, 1'234'567, 2'147'483'629});
  if (dtype == DType::int64) values.insert({2'147'483'659, 4'294'967'311, 8'589'934'609});
  return values;
}

} // namespace

std::vector<double> values_to_try(const InputNeed& need, DType dtype, Values kind) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinity = std::numeric_limits<double>::infinity();
  std::set<double> values;
  const bool free = is_free(need) && !need.meaning.calibrated && is_floating(dtype);
  if (kind == Values::with_nan && need.meaning.may_be_nan && free)
    return need.meaning.may_be_infinite ? std::vector{nan, infinity, -infinity} : std::vector{nan};
  if (kind == Values::at_bounds) values = values_at_bounds(need, dtype);
  if (kind == Values::negative) values = negative_values(need, dtype);
  if (kind == Values::beyond_32_bits) values = values_beyond_32_bits(need, dtype);
  return {values.begin(), values.end()};
}

std::optional<DType> dtype_of_number(const InputNeed& need) {
  if (need.type.find("bool") != std::string::npos) return DType::bool_;
  if (need.type.find("int") != std::string::npos) return DType::int64;
  return need.type.find("float") == std::string::npos ? std::nullopt
                                                      : std::optional(DType::float64);
}

std::size_t rounds_for(std::size_t values, std::int64_t elements) {
  if (elements <= 0) return 0;
  const auto each = static_cast<std::size_t>(elements);
  return (values + each - 1) / each;
}

} // namespace model_validator::verify
