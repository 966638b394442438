#include "app/settings/serve.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/settings/row.h"

namespace app {
namespace {

constexpr int kLargestPort = 65535;

bool is_address(const std::string& host) {
  in6_addr bytes{};
  return inet_pton(AF_INET, host.c_str(), &bytes) == 1 || inet_pton(AF_INET6, host.c_str(), &bytes) == 1;
}

// Whether it is meant as one: a number, or one behind a colon, and no file.
bool is_like_an_address(const std::string& word) {
  std::error_code code;
  if (std::filesystem::exists(word, code)) return false;
  if (is_address(word) || word == "localhost") return true;  // without its port
  const size_t colon = word.rfind(':');
  const std::string port = word.substr(colon + 1);  // npos + 1 is 0
  return (colon != std::string::npos || !port.empty()) && port.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

splat::Status parse_serve(const std::string& text, ServeChoice& choice) {
  choice = {.asked = true};
  if (text == "auto") return {};
  const size_t colon = text.rfind(':');
  if (colon != std::string::npos) {
    choice.host = text.substr(0, colon);
    if (choice.host == "localhost") choice.host = "127.0.0.1";
    if (choice.host.starts_with('[') && choice.host.ends_with(']'))
      choice.host = choice.host.substr(1, choice.host.size() - 2);
  }
  const int64_t port = parse_integer(text.substr(colon + 1)).value_or(0);  // npos + 1 is 0
  if (port < 1 || port > kLargestPort || !is_address(choice.host))
    return splat::Error{fmt::format(
        "--serve is a port from 1 to 65535, such as 8080, or an address with one, such as 0.0.0.0:8080 or [::1]:8080, "
        "not '{}'",
        text)};
  choice.port = int(port);
  return {};
}

void join_serve_with_its_address(std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i] != "--serve") continue;
    ServeChoice ignored;
    const bool named = i + 1 < arguments.size() &&
                       (parse_serve(arguments[i + 1], ignored).ok() || is_like_an_address(arguments[i + 1]));
    arguments[i] += named ? "=" + arguments[i + 1] : "=auto";
    if (named) arguments.erase(arguments.begin() + ptrdiff_t(i) + 1);
  }
}

}  // namespace app
