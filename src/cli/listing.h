#pragma once

#include "cli/console/exit_status.h"
#include "cli/console/output.h"
#include "files/json_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace model_validator::cli {

/// Prints things as one JSON object, or else as text. @returns the exit status
/// @param schema  of the object: `model_validator-SCHEMA/1`
/// @param name  of the list in it
/// @param write_text  given a stream and the things
template <class Thing, class ToJson, class WriteText>
int print_listing(bool as_json, const std::string& schema, const std::string& name,
                  const std::vector<Thing>& things, ToJson to_json, WriteText write_text) {
  Output output;
  if (as_json)
    output.stream() << json_text(Json{{"schema", "model_validator-" + schema + "/1"},
                                      {name, json_array(things, to_json)}},
                                 2)
                    << '\n';
  else
    write_text(output.stream(), things);
  output.finish();
  return clean;
}

/// The length of the longest name of several things, for a column of them.
template <class Thing> int longest_name(const std::vector<Thing>& things) {
  std::size_t longest = 0;
  for (const Thing& each : things) longest = std::max(longest, each.name.size());
  return static_cast<int>(longest);
}

} // namespace model_validator::cli
