// A bus for tests, and somebody on it who answers calls.
#pragma once

#include <gio/gio.h>
#include <sys/types.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "tests/support/temp_folder.h"

namespace test {

// A bus with nobody on it: a dbus-daemon.
class PrivateBus {
 public:
  PrivateBus();
  ~PrivateBus();
  PrivateBus(const PrivateBus&) = delete;
  PrivateBus& operator=(const PrivateBus&) = delete;

  bool running() const { return process_ > 0; }
  std::string address() const;

 private:
  splat::test::TempFolder folder_;
  pid_t process_ = -1;
};

class FakeService {
 public:
  struct Manners {
    std::string name, object, interface;  // the last as in introspection: XML
    std::function<void(GDBusMethodInvocation*)> called;
    std::function<void(const std::string&)> left{};  // a name that is no longer on the bus
  };
  FakeService(const std::string& address, Manners manners);
  ~FakeService();
  FakeService(const FakeService&) = delete;
  FakeService& operator=(const FakeService&) = delete;

 private:
  void serve(const std::string& address);

  const Manners manners_;
  GMainContext* const context_ = g_main_context_new();
  std::atomic<bool> stop_{false}, ready_{false};
  std::thread thread_;
};

}  // namespace test
