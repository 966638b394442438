// A desktop portal for tests: somebody on a bus who answers as xdg-desktop-portal does.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "tests/viewer/dialogs/fake_service.h"

namespace test {

struct PortalCall {
  std::string method, title, suggested, folder;
  bool directory = false;
  std::string filters{};  // as GVariant prints them; empty: none
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

  std::vector<PortalCall> calls() const;
  bool caller_left() const { return caller_left_; }  // whoever asked last is no longer on the bus

 private:
  void take(GDBusMethodInvocation* call);

  const Manners manners_;
  mutable std::mutex mutex_;
  std::vector<PortalCall> calls_;
  std::string caller_;
  std::atomic<bool> caller_left_{false};
  FakeService service_;
};

}  // namespace test
