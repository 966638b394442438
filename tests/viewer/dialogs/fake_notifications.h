// Somebody on a bus of the test's own who takes notifications as a desktop does.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tests/viewer/dialogs/fake_service.h"

namespace test {

class FakeNotifications {
 public:
  explicit FakeNotifications(const std::string& address);

  std::vector<std::pair<std::string, std::string>> shown() const;  // title and text

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, std::string>> shown_;
  FakeService service_;
};

}  // namespace test
