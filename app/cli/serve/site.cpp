#include "app/cli/serve/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "app/cli/serve/token.h"

namespace app {
namespace {

const char* const kText = "text/plain; charset=utf-8";
const char* const kHtml = "text/html; charset=utf-8";

// A page that is not ready asks again by itself.
const char* const kNotYet =
    "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"2\"><title>hipsplat</title>"
    "<p>hipsplat is reading its input; this page shows the scene once it is there.</p>\n";

HttpAnswer refusal(int status, std::string sentence) { return {status, kText, std::move(sentence) + "\n"}; }
HttpAnswer nothing_there() {
  return refusal(404,
                 "There is nothing here. The address has a secret part: take the whole line that hipsplat printed.");
}

// "127.0.0.1:8090", "localhost", "[::1]:1": the port may be another one, that of a tunnel. All of 127.* is this
// machine.
bool is_this_machine(std::string_view host) {
  const size_t colon = host.rfind(':');
  if (colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos) host = host.substr(0, colon);
  const bool numbers = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return (host.starts_with("127.") && numbers) || host == "localhost" || host == "[::1]";
}

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

HttpAnswer Site::answer(const HttpRequest& request) const {
  if (access_.loopback && !is_this_machine(request.host)) return refusal(403, "This is served to this machine alone.");
  std::string_view path = request.target;
  path = path.substr(0, path.find('?'));
  if (!path.starts_with('/')) return nothing_there();
  path.remove_prefix(1);
  const size_t end = std::min(path.find('/'), path.size());
  if (!same_secret(path.substr(0, end), access_.token)) return nothing_there();
  if (end == path.size())  // names in the page are beside it
    return {308, kText, "", {{"Location", "/" + access_.token + "/"}}};
  const std::string_view name = path.substr(end + 1);
  if (request.method == "POST") return command(name, request);
  if (request.method == "GET" || request.method == "HEAD") return read(name);
  return {405, kText, "Only GET and POST are answered.\n", {{"Allow", "GET, HEAD, POST"}}};
}

HttpAnswer Site::read(std::string_view name) const {
  if (name.empty()) {
    std::string page = board_.page();
    return page.empty() ? HttpAnswer{503, kHtml, kNotYet} : HttpAnswer{200, kHtml, std::move(page)};
  }
  if (name == "status.json") return {200, "application/json", board_.status()};
  if (name == "splats.spz") return {200, "application/octet-stream", board_.splats()};
  if (name.starts_with("pair/")) return pair(name.substr(5));
  return nothing_there();
}

HttpAnswer Site::pair(std::string_view numbers) const {
  const size_t slash = numbers.find('/');
  if (slash == std::string_view::npos) return nothing_there();
  const auto view = number(numbers.substr(0, slash)), after = number(numbers.substr(slash + 1));
  if (!view || *view < 0 || !after) return nothing_there();
  auto pair = board_.pair(*view, *after);
  if (!pair) return {202, kText, ""};
  return {200,
          "image/jpeg",
          std::move(pair->jpeg),
          {{"X-Iteration", fmt::format("{}", pair->iteration)}, {"X-Psnr", fmt::format("{:.2f}", pair->psnr)}}};
}

HttpAnswer Site::command(std::string_view name, const HttpRequest& request) const {
  if (!access_.commands) return nothing_there();
  if (!same_secret(request.token, access_.token)) return refusal(403, "The token is missing.");
  const bool elsewhere = !request.origin.empty() && request.origin != "http://" + request.host;
  if (elsewhere || (!request.fetch_site.empty() && request.fetch_site != "same-origin"))
    return refusal(403, "Another site cannot steer this run.");
  const std::pair<std::string_view, ServeCommand> commands[] = {{"pause", ServeCommand::kPause},
                                                                {"continue", ServeCommand::kGoOn},
                                                                {"checkpoint", ServeCommand::kCheckpoint},
                                                                {"stop", ServeCommand::kStop}};
  for (const auto& [known, command] : commands)
    if (name == known) return board_.ask(command), HttpAnswer{202, kText, ""};
  return nothing_there();
}

}  // namespace app
