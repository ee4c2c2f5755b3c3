#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace model_validator {

/// A text of any length over a socket: its length, then itself.
/// @returns false where nobody reads any more
bool send_frame(int socket, std::string_view text);

/// @param go_on  asked about ten times a second; what is false ends the waiting
/// @returns nothing at the end of what comes, or where the waiting was ended
std::optional<std::string> receive_frame(int socket, const std::function<bool()>& go_on);

} // namespace model_validator
