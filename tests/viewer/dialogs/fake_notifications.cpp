#include "tests/viewer/dialogs/fake_notifications.h"

#include <dbus/dbus.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace test {
namespace {

constexpr int kPause = 10, kPauses = 3000;  // ms; on a machine that does much else

}  // namespace

FakeNotifications::FakeNotifications(const std::string& address) : address_(address), thread_([this] { serve(); }) {
  for (int i = 0; i < kPauses && !ready_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(kPause));
  EXPECT_TRUE(ready_) << "the test's notification service did not get onto its bus";
}

FakeNotifications::~FakeNotifications() {
  stop_ = true;
  thread_.join();
}

std::vector<std::pair<std::string, std::string>> FakeNotifications::shown() const {
  std::lock_guard lock(mutex_);
  return shown_;
}

void FakeNotifications::serve() {
  dbus_threads_init_default();
  DBusConnection* connection = dbus_connection_open_private(address_.c_str(), nullptr);
  if (!connection) return;
  dbus_connection_set_exit_on_disconnect(connection, FALSE);
  dbus_bus_register(connection, nullptr);
  dbus_bus_request_name(connection, "org.freedesktop.Notifications", 0, nullptr);
  dbus_connection_flush(connection);
  ready_ = true;
  while (!stop_ && dbus_connection_read_write(connection, kPause)) {
    DBusMessage* message = dbus_connection_pop_message(connection);
    if (!message) continue;
    if (dbus_message_is_method_call(message, "org.freedesktop.Notifications", "Notify")) {
      EXPECT_TRUE(dbus_message_has_signature(message, "susssasa{sv}i")) << dbus_message_get_signature(message);
      const char *program = "", *icon = "", *title = "", *text = "";
      uint32_t replaces = 0;
      dbus_message_get_args(message, nullptr, DBUS_TYPE_STRING, &program, DBUS_TYPE_UINT32, &replaces, DBUS_TYPE_STRING,
                            &icon, DBUS_TYPE_STRING, &title, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
      {
        std::lock_guard lock(mutex_);
        shown_.emplace_back(title, text);
      }
      const uint32_t number = 1;
      DBusMessage* reply = dbus_message_new_method_return(message);
      dbus_message_append_args(reply, DBUS_TYPE_UINT32, &number, DBUS_TYPE_INVALID);
      dbus_connection_send(connection, reply, nullptr);
      dbus_connection_flush(connection);
      dbus_message_unref(reply);
    }
    dbus_message_unref(message);
  }
  dbus_connection_close(connection);
  dbus_connection_unref(connection);
}

}  // namespace test
