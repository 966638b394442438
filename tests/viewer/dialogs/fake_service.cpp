#include "tests/viewer/dialogs/fake_service.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace test {
namespace {

// For at most 30 s, on a machine that does much else.
bool soon(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

}  // namespace

PrivateBus::PrivateBus() {
  if (std::system("command -v dbus-daemon >/dev/null") != 0) return;
  folder_.write("bus.conf",
                "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\" "
                "\"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n<busconfig><type>session</type>"
                "<listen>" +
                    address() +
                    "</listen><auth>EXTERNAL</auth><policy context=\"default\"><allow send_destination=\"*\"/>"
                    "<allow receive_sender=\"*\"/><allow own=\"*\"/></policy></busconfig>\n");
  const std::string config = "--config-file=" + (folder_.path() / "bus.conf").string();
  process_ = fork();
  if (process_ == 0) {
    execlp("dbus-daemon", "dbus-daemon", "--nofork", "--nopidfile", config.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  EXPECT_TRUE(soon([&] { return std::filesystem::exists(folder_.path() / "bus"); })) << "dbus-daemon did not start";
}

PrivateBus::~PrivateBus() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

std::string PrivateBus::address() const { return "unix:path=" + (folder_.path() / "bus").string(); }

FakeService::FakeService(const std::string& address, Manners manners)
    : manners_(std::move(manners)), thread_([this, address] { serve(address); }) {
  EXPECT_TRUE(soon([&] { return ready_.load(); })) << manners_.name << " did not get onto the test's bus";
}

FakeService::~FakeService() {
  stop_ = true;
  g_main_context_wakeup(context_);
  thread_.join();
  g_main_context_unref(context_);
}

void FakeService::serve(const std::string& address) {
  g_main_context_push_thread_default(context_);
  GDBusConnection* bus =
      g_dbus_connection_new_for_address_sync(address.c_str(),
                                             GDBusConnectionFlags(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                                  G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION),
                                             nullptr, nullptr, nullptr);
  ASSERT_TRUE(bus);
  const std::string xml = "<node>" + manners_.interface + "</node>";
  g_autoptr(GDBusNodeInfo) node = g_dbus_node_info_new_for_xml(xml.c_str(), nullptr);
  ASSERT_TRUE(node) << xml;
  GDBusInterfaceVTable table{};  // what asks for properties is a call as any other
  table.method_call = [](GDBusConnection*, const char*, const char*, const char*, const char*, GVariant*,
                         GDBusMethodInvocation* call,
                         void* self) { static_cast<FakeService*>(self)->manners_.called(call); };
  g_dbus_connection_register_object(bus, manners_.object.c_str(), node->interfaces[0], &table, this, nullptr, nullptr);
  const auto changed = [](GDBusConnection*, const char*, const char*, const char*, const char*, GVariant* names,
                          void* self) {
    const char *name = "", *now = "";
    g_variant_get(names, "(&s&s&s)", &name, nullptr, &now);
    if (const auto& left = static_cast<FakeService*>(self)->manners_.left; left && !*now) left(name);
  };
  g_dbus_connection_signal_subscribe(bus, nullptr, "org.freedesktop.DBus", "NameOwnerChanged", nullptr, nullptr,
                                     G_DBUS_SIGNAL_FLAGS_NONE, changed, this, nullptr);
  g_autoptr(GVariant) owned = g_dbus_connection_call_sync(
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
      g_variant_new("(su)", manners_.name.c_str(), 0u), nullptr, G_DBUS_CALL_FLAGS_NONE, -1, nullptr, nullptr);
  ready_ = owned != nullptr;
  while (!stop_) g_main_context_iteration(context_, TRUE);
  g_dbus_connection_close_sync(bus, nullptr, nullptr);
  g_object_unref(bus);
  g_main_context_pop_thread_default(context_);
}

}  // namespace test
