#pragma once

#include <model_validator/file_rules.h>

#include <map>
#include <string>
#include <string_view>

namespace model_validator::rules {

/// Sets of dtypes by the names that records use for them.
using NamedDtypes = std::map<std::string, DtypeSet, std::less<>>;

/// Reads one record of `[versions]`, six parts between bars:
///
///     13 | T int64 T? | T | mode:s | T=t28 | T=t90; T=float64
///
/// the opset that introduced the version; what it takes and what it yields (`?` may be left out,
/// `*` any number, `+` one or more, `**` any number of any dtypes); its attributes with their kinds
/// (`!` must be there, `*` any more); the dtypes that the schema allows; and the combinations that
/// the runtime runs, `*` for all that are allowed, none where it runs none.
/// @throws std::invalid_argument with what is wrong
OperatorVersion parse_operator_version(std::string_view record, const NamedDtypes& named);

} // namespace model_validator::rules
