#include "tests/viewer/dialogs/fake_notifications.h"

namespace test {
namespace {

constexpr const char *kName = "org.freedesktop.Notifications", *kObject = "/org/freedesktop/Notifications";
constexpr const char* kInterface = R"(<interface name='org.freedesktop.Notifications'><method name='Notify'>
  <arg type='s'/><arg type='u'/><arg type='s'/><arg type='s'/><arg type='s'/><arg type='as'/><arg type='a{sv}'/>
  <arg type='i'/><arg type='u' direction='out'/>
</method></interface>)";

}  // namespace

FakeNotifications::FakeNotifications(const std::string& address)
    : service_(address, {kName, kObject, kInterface, [this](GDBusMethodInvocation* call) {
                           const char *title = "", *text = "";
                           g_variant_get(g_dbus_method_invocation_get_parameters(call), "(&su&s&s&sasa{sv}i)", nullptr,
                                         nullptr, nullptr, &title, &text, nullptr, nullptr, nullptr);
                           {
                             std::lock_guard lock(mutex_);
                             shown_.emplace_back(title, text);
                           }
                           g_dbus_method_invocation_return_value(call, g_variant_new("(u)", 1u));
                         }}) {}

std::vector<std::pair<std::string, std::string>> FakeNotifications::shown() const {
  std::lock_guard lock(mutex_);
  return shown_;
}

}  // namespace test
