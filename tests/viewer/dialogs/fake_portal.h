// A desktop portal for tests: a bus of its own (dbus-daemon) with somebody on it who answers as xdg-desktop-portal
// does.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temp_folder.h"

namespace test {

// A bus with nobody on it.
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

struct PortalCall {
  std::string method, title, suggested, folder;
  bool directory = false;
};

class FakePortal {
 public:
  struct Manners {
    unsigned version = 4;
    bool answers_version = true;
    bool answers_choice = true;  // else the dialog stays open
    bool own_object = false;     // the request gets another object than the token says (old portals)
    unsigned response = 0;       // 0: chosen, 1: cancelled
    std::vector<std::string> uris{};
  };
  FakePortal(const std::string& address, Manners manners);
  ~FakePortal();
  FakePortal(const FakePortal&) = delete;
  FakePortal& operator=(const FakePortal&) = delete;

  std::vector<PortalCall> calls() const;
  bool caller_left() const { return caller_left_; }  // whoever asked last is no longer on the bus

 private:
  void serve();

  const std::string address_;
  const Manners manners_;
  mutable std::mutex mutex_;
  std::vector<PortalCall> calls_;
  std::string caller_;
  std::atomic<bool> stop_{false}, ready_{false}, caller_left_{false};
  std::thread thread_;
};

}  // namespace test
