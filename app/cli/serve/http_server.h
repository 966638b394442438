// The requests of browsers, over sockets, by cpp-httplib: everything that a Site is not asked for. On few threads of
// low priority. A stranger can cost little: a request is its line and headers, at most 16 KiB in 100 lines within 10 s
// (slow ones are cut off); bodies are not read, ranges and compression not offered; one answer a connection, at most 16
// connections at a time, and answers that nobody takes for 30 s, or that take longer than time_for_answer(), are
// dropped.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "app/cli/serve/site.h"
#include "app/settings/serve.h"
#include "splat/core/result.h"

namespace app {

class HttpServer {
 public:
  // Listens from then on. An error, one sentence, where the port is taken or not allowed.
  static splat::Result<std::unique_ptr<HttpServer>> open(const ServeChoice& where, Site site);
  ~HttpServer();  // within a fraction of a second; answers under way are cut off

  int port() const { return port_; }

 private:
  struct Sockets;
  explicit HttpServer(Site site);

  std::unique_ptr<Sockets> sockets_;
  int port_ = 0;
};

// 30 s, and for many bytes as long as a slow network takes.
std::chrono::seconds time_for_answer(size_t bytes);

// What a connection is sent that begins with these bytes; empty: nothing, they are not a whole request.
std::string http_answer(const Site& site, std::string_view bytes);

}  // namespace app
