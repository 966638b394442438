// The server over sockets: what it sends, and what hostile connections cost.
#include "app/cli/serve/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

namespace app::test {
namespace {

const std::string kToken = "abcdefghijklmnopqrstuvwxyz012345";

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Connection {
 public:
  explicit Connection(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(uint16_t(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of sockets
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool send(const std::string& bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == ssize_t(bytes.size());
  }
  std::string rest() {  // to the end of the connection
    std::string all;
    char bytes[4096];
    for (ssize_t count; (count = ::recv(socket_, bytes, sizeof bytes, 0)) > 0;) all.append(bytes, size_t(count));
    return all;
  }

 private:
  int socket_;
};

std::string request(const std::string& name, const std::string& more = "") {
  return "GET /" + kToken + "/" + name + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + more + "\r\n";
}

struct Served {
  Board board;
  std::unique_ptr<HttpServer> server;
  Served() {
    board.put_page("<page>");
    board.put_splats(std::string(300'000, 'x'));
    auto opened = HttpServer::open({.asked = true}, Site({kToken, true, true}, board));
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    server = std::move(*opened);
  }
  std::string answer(const std::string& bytes) const {
    Connection connection(server->port());
    connection.send(bytes);
    return connection.rest();
  }
};

TEST(HttpServer, SendsWhatTheSiteAnswersWithHeadersThatShieldIt) {
  const Served served;
  const std::string answer = served.answer(request(""));
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\n<page>")) << answer;
  for (const char* header :
       {"Content-Security-Policy: default-src 'none'", "frame-ancestors 'none'", "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff", "Cache-Control: no-store", "Connection: close"})
    EXPECT_NE(answer.find(header), std::string::npos) << header << " in " << answer;
  const std::string head = "HEAD" + request("").substr(3);
  EXPECT_TRUE(served.answer(head).starts_with("HTTP/1.1 200"));
  EXPECT_TRUE(served.answer(head).ends_with("\r\n\r\n"));
  EXPECT_GT(served.answer(request("splats.spz")).size(), 300'000u);
}

TEST(HttpServer, OffersNoRangesAndNoCompression) {
  const Served served;
  std::string ranges = "rAnGe: bytes=0-";
  for (int i = 0; i < 2000; ++i) ranges += ",0-";
  const std::string answer = served.answer(request("splats.spz", ranges + "\r\nAccept-Encoding: gzip, br\r\n"));
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer.substr(0, 200);
  EXPECT_LT(answer.size(), 302'000u);
  EXPECT_EQ(answer.find("Content-Encoding"), std::string::npos);
}

TEST(HttpServer, RefusesMoreThanARequestNeeds) {
  const Served served;
  EXPECT_TRUE(served.answer(request("", "A: " + std::string(20'000, 'x') + "\r\n")).starts_with("HTTP/1.1 431"));
  std::string many;
  for (int i = 0; i < 200; ++i) many += "A: b\r\n";
  EXPECT_TRUE(served.answer(request("", many)).starts_with("HTTP/1.1 431"));
  EXPECT_TRUE(served.answer("nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
  // A body is not waited for, nor read.
  const std::string post = "POST /" + kToken + "/pause HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Hipsplat-Token: " + kToken +
                           "\r\nContent-Length: 4000000000\r\n\r\nxxxx";
  EXPECT_TRUE(served.answer(post).starts_with("HTTP/1.1 202"));
  EXPECT_TRUE(served.answer(request("")).starts_with("HTTP/1.1 200"));
}

TEST(HttpServer, CutsOffWhoeverIsSlowAndWhoeverComesInCrowds) {
  const Served served;
  {
    std::vector<std::unique_ptr<Connection>> crowd;
    for (int i = 0; i < 40; ++i) crowd.push_back(std::make_unique<Connection>(served.server->port()));
    EXPECT_EQ(crowd.back()->rest(), "");  // refused, or not for long
  }
  {
    const Clock::time_point start = Clock::now();
    Connection slow(served.server->port());
    slow.send("GET /");
    std::thread drips([&] {
      while (seconds_since(start) < 20 && slow.send("x")) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    });
    EXPECT_EQ(slow.rest(), "");
    EXPECT_LT(seconds_since(start), 15);  // though a byte came every half second
    drips.join();
  }
  EXPECT_TRUE(served.answer(request("")).starts_with("HTTP/1.1 200"));
}

TEST(HttpServer, GivesAnAnswerTimeByItsSize) {
  EXPECT_LE(time_for_answer(1000), std::chrono::seconds(30));
  EXPECT_GE(time_for_answer(300'000'000), std::chrono::minutes(10));
}

TEST(HttpServer, IsKeptFromNobodyByConnectionsThatAskNothing) {
  const Served served;
  std::vector<std::unique_ptr<Connection>> idle;
  for (int i = 0; i < 16; ++i) idle.push_back(std::make_unique<Connection>(served.server->port()));
  const Clock::time_point start = Clock::now();
  std::string answer;
  while (answer.empty() && seconds_since(start) < 30) {
    answer = served.answer(request(""));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200")) << answer;
  EXPECT_LT(seconds_since(start), 9);  // and not when the 10 s of the first of them are over
}

TEST(HttpServer, EndsAtOnceWhoeverIsConnected) {
  auto served = std::make_unique<Served>();
  Connection waits(served->server->port());
  waits.send("GET /");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const Clock::time_point start = Clock::now();
  served.reset();
  EXPECT_LT(seconds_since(start), 8);  // and not when the 10 s of the request are over
}

TEST(HttpServer, SaysThatAPortIsTaken) {
  const Served served;
  Board board;
  const auto second =
      HttpServer::open({.asked = true, .port = served.server->port()}, Site({kToken, true, true}, board));
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("port " + std::to_string(served.server->port())), std::string::npos);
  const Served beside;  // without a port: another one
  EXPECT_NE(beside.server->port(), served.server->port());
}

TEST(HttpServer, AnswersBytesAsTheyCome) {
  Board board;
  board.put_page("<page>");
  const Site site({kToken, true, true}, board);
  EXPECT_TRUE(http_answer(site, request("")).ends_with("<page>"));
  EXPECT_EQ(http_answer(site, "GET / HTTP/1.1\r\n"), "");
  EXPECT_EQ(http_answer(site, ""), "");
}

}  // namespace
}  // namespace app::test
