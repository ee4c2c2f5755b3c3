#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace model_validator {

/// Sends a text of any length over a socket: its length, then itself.
/// @returns false where nobody reads any more
bool send_frame(int socket, std::string_view text);

/// @param go_on  asked about ten times a second; false ends the wait
/// @returns nothing at the end of the stream, or if the wait was ended
std::optional<std::string> receive_frame(int socket, const std::function<bool()>& go_on);

} // namespace model_validator
