#include "viewer/dialogs/desktop_notifier.h"

#include <gio/gio.h>

#include <thread>
#include <utility>

namespace viewer {
namespace {

constexpr const char *kService = "org.freedesktop.Notifications", *kObject = "/org/freedesktop/Notifications";
constexpr int kPatienceMs = 4000;  // for a desktop that starts its service on request

// Notify(s program, u replaces, s icon, s title, s text, as actions, a{sv} hints, i ms until it goes: -1 its own)
void notify(const std::string& address, const std::string& title, const std::string& text, GCancellable* stop) {
  const auto valid = [](const std::string& s) { return g_utf8_validate(s.c_str(), -1, nullptr) ? s.c_str() : ""; };
  g_autoptr(GDBusConnection) bus = g_dbus_connection_new_for_address_sync(
      address.c_str(), G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT, nullptr, stop, nullptr);
  const auto call = [&](const char* to, const char* object, const char* method, GVariant* arguments) {
    g_autoptr(GVariant) reply = g_dbus_connection_call_sync(bus, to, object, to, method, arguments, nullptr,
                                                            G_DBUS_CALL_FLAGS_NONE, kPatienceMs, stop, nullptr);
    return reply != nullptr;
  };
  // GIO's own greeting cannot be stopped.
  if (!bus || !call("org.freedesktop.DBus", "/org/freedesktop/DBus", "Hello", nullptr)) return;
  call(kService, kObject, "Notify",
       g_variant_new("(susssasa{sv}i)", "hipsplat", 0u, "hipsplat", valid(title), valid(text), nullptr, nullptr, -1));
}

}  // namespace

struct DesktopNotifier::Message {
  Message(std::string address, std::string title, std::string text)
      : thread([this, address = std::move(address), title = std::move(title), text = std::move(text)] {
          notify(address, title, text, stop);
        }) {}
  ~Message() {
    g_cancellable_cancel(stop);
    thread.join();
    g_object_unref(stop);
  }

  GCancellable* const stop = g_cancellable_new();
  std::thread thread;
};

DesktopNotifier::DesktopNotifier() = default;
DesktopNotifier::~DesktopNotifier() = default;

void DesktopNotifier::show(const std::string& title, const std::string& text, const std::string& bus) {
  if (!bus.empty()) message_ = std::make_unique<Message>(bus, title, text);
}

}  // namespace viewer
