// Somebody on a bus of the test's own who takes notifications as a desktop does.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace test {

class FakeNotifications {
 public:
  explicit FakeNotifications(const std::string& address);
  ~FakeNotifications();
  FakeNotifications(const FakeNotifications&) = delete;
  FakeNotifications& operator=(const FakeNotifications&) = delete;

  std::vector<std::pair<std::string, std::string>> shown() const;  // title and text

 private:
  void serve();

  const std::string address_;
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, std::string>> shown_;
  std::atomic<bool> stop_{false}, ready_{false};
  std::thread thread_;
};

}  // namespace test
