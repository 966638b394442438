// Which requests are answered, and with what: a function of the request's line and headers, and of a Board. The names
// are a fixed set below "/TOKEN/"; no file is opened, whatever is asked for. GET and HEAD read:
//   (nothing)          the page                        splats.spz         the newest splats
//   status.json        the run as it stands            pair/VIEW/AFTER    photo and view side by side, newer than
//   AFTER;
//                                                                         202: it will be drawn
// POST pause, continue, checkpoint and stop change the run: with the token in X-Hipsplat-Token as well, and from the
// page itself, which a page of another site cannot be. Refusals: 403 for another Host than this machine where only it
// is served (DNS rebinding), or another Origin; 404 without the token or the name; 405.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/serve/board.h"

namespace app {

struct HttpRequest {
  std::string method{}, target{};                       // the target as it was sent
  std::string host{}, origin{}, fetch_site{}, token{};  // headers; empty: it is not there
};

struct HttpAnswer {
  int status = 200;
  std::string type, body;
  std::vector<std::pair<std::string, std::string>> headers{};
};

class Site {
 public:
  struct Access {
    std::string token;
    bool loopback = true;  // only names of this machine count as Host
    bool commands = true;  // POST; a scene that does not train has none
  };
  Site(Access access, Board& board) : access_(std::move(access)), board_(board) {}

  HttpAnswer answer(const HttpRequest& request) const;

 private:
  HttpAnswer read(std::string_view name) const;
  HttpAnswer pair(std::string_view numbers) const;
  HttpAnswer command(std::string_view name, const HttpRequest& request) const;

  Access access_;
  Board& board_;
};

}  // namespace app
