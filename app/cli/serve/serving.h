// A page that is served: its board, and the server that reads from it. The address is printed once there is something
// to see.
#pragma once

#include <memory>
#include <string>

#include "app/cli/serve/board.h"
#include "app/cli/serve/http_server.h"
#include "app/settings/options.h"
#include "splat/core/result.h"

namespace app {

class Serving {
 public:
  // Takes the port. `commands`: the page may pause and stop what is served.
  static splat::Result<std::unique_ptr<Serving>> open(const ServeChoice& where, bool commands);

  Board& board() { return board_; }
  // On stdout, with the line of ssh that brings it to another machine; as JSON: type "serving", url, ssh.
  void print_address(const ConsoleOptions& console) const;

 private:
  Serving(const ServeChoice& where, bool commands) : where_(where), commands_(commands) {}

  ServeChoice where_;
  bool commands_;
  Board board_;
  std::string token_;
  std::unique_ptr<HttpServer> server_;  // ends first
};

}  // namespace app
