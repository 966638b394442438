#include "tests/viewer/dialogs/fake_portal.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace test {
namespace {

constexpr const char* kObject = "/org/freedesktop/portal/desktop";
constexpr const char* kInterface = R"(<interface name='org.freedesktop.portal.FileChooser'>
  <method name='OpenFile'>
    <arg type='s'/><arg type='s'/><arg type='a{sv}'/><arg type='o' direction='out'/>
  </method>
  <method name='SaveFile'>
    <arg type='s'/><arg type='s'/><arg type='a{sv}'/><arg type='o' direction='out'/>
  </method>
  <property name='version' type='u' access='read'/>
</interface>)";

// Reads (s parent, s title, a{sv} options); the token comes in `token`.
PortalCall read_call(GDBusMethodInvocation* invocation, std::string& token) {
  const char *title = "", *text = "", *folder = "", *given = "";
  gboolean directory = FALSE;
  g_autoptr(GVariant) options = nullptr;
  g_variant_get(g_dbus_method_invocation_get_parameters(invocation), "(&s&s@a{sv})", nullptr, &title, &options);
  g_variant_lookup(options, "handle_token", "&s", &given);
  g_variant_lookup(options, "current_name", "&s", &text);
  g_variant_lookup(options, "directory", "b", &directory);
  g_autoptr(GVariant) path = g_variant_lookup_value(options, "current_folder", G_VARIANT_TYPE_BYTESTRING);
  g_autoptr(GVariant) filters = g_variant_lookup_value(options, "filters", G_VARIANT_TYPE("a(sa(us))"));
  const g_autofree char* printed = filters ? g_variant_print(filters, FALSE) : nullptr;
  gsize length = 0;
  if (path) folder = static_cast<const char*>(g_variant_get_fixed_array(path, &length, 1));
  token = given;
  return {g_dbus_method_invocation_get_method_name(invocation),
          title,
          text,
          std::string(folder, length),
          directory != FALSE,
          printed ? printed : ""};
}

void respond(GDBusConnection* bus, const std::string& object, unsigned response, const std::vector<std::string>& uris) {
  GVariantBuilder results, texts;
  g_variant_builder_init(&results, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_init(&texts, G_VARIANT_TYPE_STRING_ARRAY);
  for (const std::string& uri : uris) g_variant_builder_add(&texts, "s", uri.c_str());
  g_variant_builder_add(&results, "{sv}", "uris", g_variant_builder_end(&texts));
  g_dbus_connection_emit_signal(bus, nullptr, object.c_str(), "org.freedesktop.portal.Request", "Response",
                                g_variant_new("(ua{sv})", response, &results), nullptr);
}

}  // namespace

FakePortal::FakePortal(const std::string& address, Manners manners)
    : manners_(std::move(manners)),
      service_(address, {"org.freedesktop.portal.Desktop", kObject, kInterface, [this](auto* call) { take(call); },
                         [this](const std::string& name) {
                           if (name == caller_) caller_left_ = true;
                         }}) {}

std::vector<PortalCall> FakePortal::calls() const {
  std::lock_guard lock(mutex_);
  return calls_;
}

void FakePortal::take(GDBusMethodInvocation* invocation) {
  const std::string interface = g_dbus_method_invocation_get_interface_name(invocation);
  if (interface == "org.freedesktop.DBus.Properties") {
    GVariant* version = g_variant_new("(v)", g_variant_new_uint32(manners_.version));
    if (manners_.answers_version) g_dbus_method_invocation_return_value(invocation, version);
    return;
  }
  std::string token, sender = g_dbus_method_invocation_get_sender(invocation);
  const PortalCall call = read_call(invocation, token);
  {
    std::lock_guard lock(mutex_);
    calls_.push_back(call);
    caller_ = sender;
  }
  std::replace(sender.begin(), sender.end(), '.', '_');
  const std::string object =
      std::string(kObject) + "/request/" + sender.substr(1) + "/" + (manners_.own_object ? "t1234" : token);
  GDBusConnection* bus = g_dbus_method_invocation_get_connection(invocation);
  g_dbus_method_invocation_return_value(invocation, g_variant_new("(o)", object.c_str()));
  if (manners_.own_object) std::this_thread::sleep_for(std::chrono::milliseconds(200));  // until it is listened to
  if (manners_.answers_choice) respond(bus, object, manners_.response, manners_.uris);
}

}  // namespace test
