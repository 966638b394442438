#include "app/cli/serve/serving.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "app/cli/serve/token.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/status_line.h"
#include "splat/core/log.h"

namespace app {
namespace {

std::string own_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "HOST";
}

}  // namespace

splat::Result<std::unique_ptr<Serving>> Serving::open(const ServeChoice& where, bool commands) {
  std::unique_ptr<Serving> serving(new Serving(where, commands));
  SPLAT_ASSIGN_OR_RETURN(serving->token_, make_token());
  SPLAT_ASSIGN_OR_RETURN(serving->server_,
                         HttpServer::open(where, Site({serving->token_, where.loopback(), commands}, serving->board_)));
  return serving;
}

void Serving::print_address(const ConsoleOptions& console) const {
  const bool everywhere = where_.host == "0.0.0.0" || where_.host == "::";
  const std::string host = everywhere                                   ? own_name()
                           : where_.host.find(':') != std::string::npos ? "[" + where_.host + "]"
                                                                        : where_.host;
  const int port = server_->port();
  const std::string url = fmt::format("http://{}:{}/{}/", host, port, token_);
  const std::string ssh = where_.loopback() ? fmt::format("ssh -L {0}:{1}:{0} {2}", port, host, own_name()) : "";
  if (console.json)
    print_json({{"type", "serving"}, {"url", url}, {"ssh", ssh}});
  else
    print("served at {}\n", url);
  if (!console.json && !ssh.empty()) print("  from another machine: {}, then the same address there\n", ssh);
  if (!where_.loopback())
    splat::log::warning(
        fmt::format("whoever can reach this machine and has the address can watch{}; nothing is encrypted on the way",
                    commands_ ? ", pause and stop the run" : ""));
  flush_results();
}

}  // namespace app
