#include "tests/viewer/dialogs/fake_portal.h"

#include <dbus/dbus.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace test {
namespace {

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr int kLookMs = 10, kLooks = 3000;  // on a machine that does much else

void send(DBusConnection* connection, DBusMessage* message) {
  dbus_connection_send(connection, message, nullptr);
  dbus_connection_flush(connection);
  dbus_message_unref(message);
}

void reply_version(DBusConnection* connection, DBusMessage* call, dbus_uint32_t version) {
  DBusMessage* reply = dbus_message_new_method_return(call);
  DBusMessageIter arguments, variant;
  dbus_message_iter_init_append(reply, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_VARIANT, "u", &variant);
  dbus_message_iter_append_basic(&variant, DBUS_TYPE_UINT32, &version);
  dbus_message_iter_close_container(&arguments, &variant);
  send(connection, reply);
}

std::string text_at(DBusMessageIter& at) {
  const char* text = "";
  if (dbus_message_iter_get_arg_type(&at) == DBUS_TYPE_STRING) dbus_message_iter_get_basic(&at, &text);
  return text;
}

// Reads (s parent, s title, a{sv} options); the token comes in `token`.
PortalCall read_call(DBusMessage* message, std::string& token) {
  PortalCall call;
  call.method = dbus_message_get_member(message);
  DBusMessageIter arguments, options, entry, value, bytes;
  dbus_message_iter_init(message, &arguments);
  dbus_message_iter_next(&arguments);
  call.title = text_at(arguments);
  dbus_message_iter_next(&arguments);
  for (dbus_message_iter_recurse(&arguments, &options);
       dbus_message_iter_get_arg_type(&options) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&options)) {
    dbus_message_iter_recurse(&options, &entry);
    const std::string name = text_at(entry);
    dbus_message_iter_next(&entry);
    dbus_message_iter_recurse(&entry, &value);
    if (name == "handle_token") token = text_at(value);
    if (name == "current_name") call.suggested = text_at(value);
    if (name == "directory") {
      dbus_bool_t on = FALSE;
      dbus_message_iter_get_basic(&value, &on);
      call.directory = on;
    }
    if (name == "current_folder") {
      const char* text = nullptr;
      int length = 0;
      dbus_message_iter_recurse(&value, &bytes);
      dbus_message_iter_get_fixed_array(&bytes, &text, &length);
      call.folder.assign(text, size_t(length));
    }
  }
  return call;
}

void respond(DBusConnection* connection, const std::string& object, dbus_uint32_t response,
             const std::vector<std::string>& uris) {
  DBusMessage* signal = dbus_message_new_signal(object.c_str(), "org.freedesktop.portal.Request", "Response");
  DBusMessageIter arguments, results, entry, variant, texts;
  dbus_message_iter_init_append(signal, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT32, &response);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &results);
  const char* name = "uris";
  dbus_message_iter_open_container(&results, DBUS_TYPE_DICT_ENTRY, nullptr, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &variant);
  dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "s", &texts);
  for (const std::string& uri : uris) {
    const char* text = uri.c_str();
    dbus_message_iter_append_basic(&texts, DBUS_TYPE_STRING, &text);
  }
  dbus_message_iter_close_container(&variant, &texts);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(&results, &entry);
  dbus_message_iter_close_container(&arguments, &results);
  send(connection, signal);
}

}  // namespace

// ---- PrivateBus

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
  for (int i = 0; i < kLooks && !std::filesystem::exists(folder_.path() / "bus"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(kLookMs));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "bus")) << "dbus-daemon did not start";
}

PrivateBus::~PrivateBus() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

std::string PrivateBus::address() const { return "unix:path=" + (folder_.path() / "bus").string(); }

// ---- FakePortal

FakePortal::FakePortal(const std::string& address, Manners manners)
    : address_(address), manners_(std::move(manners)), thread_([this] { serve(); }) {
  for (int i = 0; i < kLooks && !ready_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(kLookMs));
  EXPECT_TRUE(ready_) << "the test's portal did not get onto its bus";
}

FakePortal::~FakePortal() {
  stop_ = true;
  thread_.join();
}

std::vector<PortalCall> FakePortal::calls() const {
  std::lock_guard lock(mutex_);
  return calls_;
}

void FakePortal::serve() {
  dbus_threads_init_default();
  DBusConnection* connection = dbus_connection_open_private(address_.c_str(), nullptr);
  if (!connection) return;
  dbus_connection_set_exit_on_disconnect(connection, FALSE);
  dbus_bus_register(connection, nullptr);
  dbus_bus_request_name(connection, kPortal, 0, nullptr);
  dbus_bus_add_match(connection, "type='signal',member='NameOwnerChanged'", nullptr);
  dbus_connection_flush(connection);
  ready_ = true;
  while (!stop_ && dbus_connection_read_write(connection, kLookMs)) {
    DBusMessage* message = dbus_connection_pop_message(connection);
    if (!message) continue;
    if (dbus_message_is_method_call(message, DBUS_INTERFACE_PROPERTIES, "Get") && manners_.answers_version)
      reply_version(connection, message, manners_.version);
    if (dbus_message_has_interface(message, "org.freedesktop.portal.FileChooser")) {
      std::string token;
      PortalCall call = read_call(message, token);
      std::string sender = dbus_message_get_sender(message);
      {
        std::lock_guard lock(mutex_);
        calls_.push_back(call);
        caller_ = sender;
      }
      for (char& c : sender)
        if (c == '.') c = '_';
      const std::string object =
          "/org/freedesktop/portal/desktop/request/" + sender.substr(1) + "/" + (manners_.own_object ? "t1234" : token);
      const char* path = object.c_str();
      DBusMessage* reply = dbus_message_new_method_return(message);
      dbus_message_append_args(reply, DBUS_TYPE_OBJECT_PATH, &path, DBUS_TYPE_INVALID);
      send(connection, reply);
      if (manners_.own_object) std::this_thread::sleep_for(std::chrono::milliseconds(200));  // until it is listened to
      if (manners_.answers_choice) respond(connection, object, manners_.response, manners_.uris);
    }
    if (dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged")) {
      const char *name = "", *before = "", *now = "";
      dbus_message_get_args(message, nullptr, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &before, DBUS_TYPE_STRING,
                            &now, DBUS_TYPE_INVALID);
      if (*now == '\0' && caller_ == name) caller_left_ = true;
    }
    dbus_message_unref(message);
  }
  dbus_connection_close(connection);
  dbus_connection_unref(connection);
}

}  // namespace test
