#include "viewer/dialogs/desktop_notifier.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "viewer/dialogs/bus.h"

namespace viewer {
namespace {

constexpr const char *kService = "org.freedesktop.Notifications", *kObject = "/org/freedesktop/Notifications";
constexpr auto kPatience = std::chrono::seconds(4);  // for a desktop that starts its service on request

// Notify(s program, u replaces, s icon, s title, s text, as actions, a{sv} hints, i ms until it goes: -1 its own)
bus::Message notify_call(const std::string& title, const std::string& text) {
  bus::Message message = bus::method_call(kService, kObject, kService, "Notify");
  if (!message) return message;
  DBusMessageIter arguments, list;
  const uint32_t replaces = 0;
  const int32_t usual = -1;
  dbus_message_iter_init_append(message.get(), &arguments);
  bus::append_text(arguments, "hipsplat");
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &replaces);
  bus::append_text(arguments, "hipsplat");  // the icon's name in the theme
  bus::append_text(arguments, title);
  bus::append_text(arguments, text);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "s", &list);
  dbus_message_iter_close_container(&arguments, &list);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &list);
  dbus_message_iter_close_container(&arguments, &list);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_INT32, &usual);
  return message;
}

}  // namespace

struct DesktopNotifier::Message {
  Message(std::string address, std::string title, std::string text)
      : thread([this, address = std::move(address), title = std::move(title), text = std::move(text)] {
          const auto deadline = bus::Clock::now() + kPatience;
          bus::Connection connection(stop);
          if (connection.open(address, deadline)) connection.ask(notify_call(title, text), deadline);
        }) {}
  ~Message() {
    stop = true;
    thread.join();
  }

  std::atomic<bool> stop{false};
  std::thread thread;
};

DesktopNotifier::DesktopNotifier() = default;
DesktopNotifier::~DesktopNotifier() = default;

void DesktopNotifier::show(const std::string& title, const std::string& text, const std::string& bus) {
  if (!bus.empty()) message_ = std::make_unique<Message>(bus, title, text);
}

}  // namespace viewer
