// Messages of the desktop, outside the window: org.freedesktop.Notifications on the session's bus. Where there is no
// bus or nobody shows them, nothing happens. Documented at https://specifications.freedesktop.org/notification-spec/
#pragma once

#include <memory>
#include <string>

#include "viewer/dialogs/desktop_portal.h"

namespace viewer {

class DesktopNotifier {
 public:
  DesktopNotifier();
  ~DesktopNotifier();  // gives up what the bus has not taken yet; at most about 50 ms
  DesktopNotifier(const DesktopNotifier&) = delete;
  DesktopNotifier& operator=(const DesktopNotifier&) = delete;

  // bus: its address; empty: there is none. Returns at once.
  void show(const std::string& title, const std::string& text, const std::string& bus = session_bus_address());

 private:
  struct Message;
  std::unique_ptr<Message> message_;  // the newest, on a thread of its own
};

}  // namespace viewer
