#include "app/cli/serve/http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/jobs/host/low_priority.h"
#include "splat/core/system.h"

namespace app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostHeadBytes = size_t(16) << 10, kMostLines = 100;
constexpr size_t kThreads = 4, kMostConnections = 16;
constexpr auto kHeadTime = std::chrono::seconds(10), kAnswerTime = std::chrono::seconds(30);
constexpr size_t kSlowNetwork = 100'000;                    // bytes a second
constexpr auto kCrowdedHeadTime = std::chrono::seconds(1);  // for a request while others wait
constexpr int kSliceMs = 100;                               // after which the end of the server is noticed
constexpr std::string_view kHeadEnd = "\r\n\r\n";
const char* const kTooLong =
    "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

// As the page's own policy (web/page.html), and in no frame of another site.
const char* const kPolicy =
    "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

using Send = std::function<bool(std::string_view bytes)>;  // false: nobody takes it

// What httplib reads and writes: a request that is whole, and its answer.
class RequestStream final : public httplib::Stream {
 public:
  RequestStream(std::string head, Send send) : head_(std::move(head)), send_(std::move(send)) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override {
    const size_t count = std::min(size, head_.size() - at_);
    std::copy_n(head_.data() + at_, count, to);
    at_ += count;
    return ssize_t(count);
  }
  ssize_t write(const char* from, size_t size) override { return send_({from, size}) ? ssize_t(size) : -1; }
  void get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}
  socket_t socket() const override { return -1; }

 private:
  const std::string head_;
  const Send send_;
  size_t at_ = 0;
};

// Without what httplib would spend much on: it takes ranges apart by std::regex, and multiplies the answer by them.
// None: more lines than are read.
std::optional<std::string> harmless(std::string_view head) {
  constexpr std::string_view kRange = "range:";
  std::string kept;
  size_t lines = 0;
  while (!head.empty()) {
    const size_t end = std::min(head.find('\n'), head.size() - 1) + 1;
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end);
    if (++lines > kMostLines) return std::nullopt;
    const bool range = line.size() >= kRange.size() &&
                       std::equal(kRange.begin(), kRange.end(), line.begin(),
                                  [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? char(b - 'A' + 'a') : b); });
    if (!range) kept += line;
  }
  return kept;
}

thread_local bool t_refuses = false;  // the connection that the thread is given

// httplib's own pool keeps any number of connections waiting, each of which is a file that the run may need.
class FewThreads final : public httplib::TaskQueue {
 public:
  explicit FewThreads(std::atomic<size_t>& waiting) : crowd_(waiting) {
    for (size_t i = 0; i < kThreads; ++i) threads_.emplace_back([this] { work(); });
  }

  using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue({}));  // void or bool, by httplib's version
  Enqueued enqueue(std::function<void()> connection) override {
    {
      std::lock_guard lock(mutex_);
      if (open_ < kMostConnections) {
        ++open_;
        waiting_.push_back(std::move(connection));
        crowd_ = waiting_.size();
        arrived_.notify_one();
        return Enqueued(1);
      }
    }
    t_refuses = true;
    connection();
    t_refuses = false;
    return Enqueued(1);
  }

  void shutdown() override {
    {
      std::lock_guard lock(mutex_);
      over_ = true;
      arrived_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void work() {
    lower_own_priority(kLowestNice);
    for (;;) {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [this] { return over_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const std::function<void()> connection = std::move(waiting_.front());
      waiting_.pop_front();
      crowd_ = waiting_.size();
      lock.unlock();
      connection();
      lock.lock();
      --open_;
    }
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> waiting_;
  std::atomic<size_t>& crowd_;  // how many wait
  size_t open_ = 0;             // connections, those that wait among them
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

class LimitedServer final : public httplib::Server {
 public:
  explicit LimitedServer(Site site) : site_(std::move(site)) {
    new_task_queue = [this] {
      return new FewThreads(crowd_);
    };  // NOLINT(cppcoreguidelines-owning-memory): httplib deletes it
    // Not SO_REUSEPORT, httplib's own choice, by which two programs share a port without noticing.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    set_default_headers({{"Cache-Control", "no-store"},
                         {"Content-Security-Policy", kPolicy},
                         {"Cross-Origin-Opener-Policy", "same-origin"},
                         {"Cross-Origin-Resource-Policy", "same-origin"},
                         {"Referrer-Policy", "no-referrer"},
                         {"X-Content-Type-Options", "nosniff"},
                         {"X-Frame-Options", "DENY"}});
    // Before httplib looks for a body.
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
      return HandlerResponse::Handled;
    });
  }

  // A whole request, up to the empty line.
  void take(std::string_view head, Send send) {
    std::optional<std::string> kept = harmless(head);
    if (!kept) {
      send(kTooLong);
      return;
    }
    RequestStream stream(std::move(*kept), std::move(send));
    process(stream);
  }
  void leave() { leaves_ = true; }

 private:
  void answer(const httplib::Request& request, httplib::Response& response) const {
    const auto header = [&](const char* name) { return request.get_header_value(name); };
    HttpAnswer answer = site_.answer({request.method, request.target, header("Host"), header("Origin"),
                                      header("Sec-Fetch-Site"), header("X-Hipsplat-Token")});
    response.status = answer.status;
    for (const auto& [name, value] : answer.headers) response.set_header(name, value);
    response.body = std::move(answer.body);
    response.set_header("Content-Type", answer.type);
  }

  template <class Stream>
  void process(Stream& stream) {
    bool closed = false;
    const auto prepare = [](httplib::Request& request) { request.headers.erase("Accept-Encoding"); };
    if constexpr (requires { process_request(stream, true, closed, prepare); })
      process_request(stream, true, closed, prepare);
    else  // since httplib 0.17
      process_request(stream, "", 0, "", 0, true, closed, prepare);
  }

  bool process_and_close_socket(socket_t socket) override {
    if (!t_refuses) {
      std::string head;
      const Send send = [&](std::string_view bytes) { return send_all(socket, bytes); };
      if (receive_head(socket, head))
        take(head, send);
      else if (head.size() >= kMostHeadBytes)
        send(kTooLong);
      ::shutdown(socket, SHUT_WR);
      char rest[4096];  // what was not read would take back the answer
      for (int i = 0; i < 16 && ::recv(socket, rest, sizeof rest, MSG_DONTWAIT) > 0; ++i) continue;
    }
    ::close(socket);
    return true;
  }

  bool ready(socket_t socket, short for_what, Clock::time_point until) const {
    pollfd one{socket, for_what, 0};
    while (!leaves_ && Clock::now() < until)
      if (::poll(&one, 1, kSliceMs) > 0) return true;
    return false;
  }

  bool receive_head(socket_t socket, std::string& head) const {
    const Clock::time_point start = Clock::now();
    char bytes[4096];
    while (head.size() < kMostHeadBytes && !leaves_ &&
           Clock::now() < start + (crowd_ > 0 ? kCrowdedHeadTime : kHeadTime)) {
      if (!ready(socket, POLLIN, Clock::now() + std::chrono::milliseconds(kSliceMs))) continue;
      const ssize_t count = ::recv(socket, bytes, std::min(sizeof bytes, kMostHeadBytes - head.size()), MSG_DONTWAIT);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (count <= 0) return false;
      const size_t before = head.size() - std::min(head.size(), kHeadEnd.size() - 1);
      head.append(bytes, size_t(count));
      if (const size_t end = head.find(kHeadEnd, before); end != std::string::npos) {
        head.resize(end + kHeadEnd.size());
        return true;
      }
    }
    return false;
  }

  bool send_all(socket_t socket, std::string_view bytes) const {
    Clock::time_point taken = Clock::now();
    const Clock::time_point until = taken + time_for_answer(bytes.size());
    while (!bytes.empty()) {
      if (!ready(socket, POLLOUT, std::min(until, taken + kAnswerTime))) return false;
      const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
      bytes.remove_prefix(size_t(std::max<ssize_t>(count, 0)));
      taken = Clock::now();
    }
    return true;
  }

  const Site site_;
  std::atomic<bool> leaves_{false};
  std::atomic<size_t> crowd_{0};  // connections that wait for a thread
};

struct HttpServer::Sockets {
  explicit Sockets(Site site) : server(std::move(site)) {}
  LimitedServer server;
  std::atomic<bool> ended{false};
  std::thread thread;
};

HttpServer::HttpServer(Site site) : sockets_(std::make_unique<Sockets>(std::move(site))) {}

splat::Result<std::unique_ptr<HttpServer>> HttpServer::open(const ServeChoice& where, Site site) {
  std::unique_ptr<HttpServer> opened(new HttpServer(std::move(site)));
  Sockets& sockets = *opened->sockets_;
  const int port = where.port > 0 ? where.port : kUsualServePort;
  errno = 0;
  if (sockets.server.bind_to_port(where.host, port))
    opened->port_ = port;
  else if (where.port == 0)
    opened->port_ = sockets.server.bind_to_any_port(where.host);
  if (opened->port_ <= 0)
    return splat::Error{fmt::format("nothing can be served at port {} of {}: {}; name another one: --serve PORT", port,
                                    where.host, errno != 0 ? splat::error_text(errno) : "it is not this machine's")};
  sockets.thread = std::thread([&sockets] {
    lower_own_priority(kLowestNice);
    sockets.server.listen_after_bind();
    sockets.ended = true;
  });
  return opened;
}

HttpServer::~HttpServer() {
  if (!sockets_->thread.joinable()) return;
  sockets_->server.leave();
  while (!sockets_->server.is_running() && !sockets_->ended) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  sockets_->server.stop();
  sockets_->thread.join();
}

std::chrono::seconds time_for_answer(size_t bytes) {
  return kAnswerTime + std::chrono::seconds(int64_t(bytes / kSlowNetwork));
}

std::string http_answer(const Site& site, std::string_view bytes) {
  const size_t end = bytes.substr(0, kMostHeadBytes).find(kHeadEnd);
  if (end == std::string_view::npos) return bytes.size() < kMostHeadBytes ? "" : kTooLong;
  std::string answer;
  LimitedServer(site).take(bytes.substr(0, end + kHeadEnd.size()), [&](std::string_view part) {
    answer += part;
    return true;
  });
  return answer;
}

}  // namespace app
