// Where a page is served (--serve): "8080", "0.0.0.0:8080", "[::1]:8080". Names are not looked up but "localhost".
#pragma once

#include <string>
#include <vector>

#include "splat/core/result.h"

namespace app {

inline constexpr int kUsualServePort = 8090;

struct ServeChoice {
  bool asked = false;
  std::string host = "127.0.0.1";  // an address as numbers, IPv6 without brackets
  int port = 0;                    // 0: kUsualServePort, or any that is free where that is taken

  bool loopback() const { return host.starts_with("127.") || host == "::1"; }  // no other machine reaches it
};

// The text of --serve, or "auto".
splat::Status parse_serve(const std::string& text, ServeChoice& choice);

// "--serve" stands alone or before an address: what follows and is none is another word ("--serve scene.ply").
void join_serve_with_its_address(std::vector<std::string>& arguments);

}  // namespace app
