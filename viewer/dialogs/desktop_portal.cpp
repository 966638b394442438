#include "viewer/dialogs/desktop_portal.h"

#include <dbus/dbus.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "splat/core/percent_encoding.h"
#include "splat/core/system.h"
#include "viewer/dialogs/bus.h"
#include "viewer/mailbox.h"

namespace viewer {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalObject = "/org/freedesktop/portal/desktop";
constexpr const char* kFileChooser = "org.freedesktop.portal.FileChooser";
constexpr const char* kRequest = "org.freedesktop.portal.Request";
constexpr uint32_t kFolderVersion = 3;                 // of the interface: the first that chooses folders
constexpr auto kAnswerTime = std::chrono::seconds(4);  // for the portal to start and say what it can do

// ---- the options of a request: a{sv}

// Opens {name: variant of `type`}, lets `fill` append the value, and closes it.
template <class Fill>
void add_option(DBusMessageIter& options, const char* name, const char* type, const Fill& fill) {
  DBusMessageIter entry, variant;
  dbus_message_iter_open_container(&options, DBUS_TYPE_DICT_ENTRY, nullptr, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, type, &variant);
  fill(variant);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(&options, &entry);
}

void add_text(DBusMessageIter& options, const char* name, const std::string& text) {
  if (!dbus_validate_utf8(text.c_str(), nullptr)) return;  // the bus carries no other text
  add_option(options, name, DBUS_TYPE_STRING_AS_STRING, [&](DBusMessageIter& variant) {
    const char* characters = text.c_str();
    dbus_message_iter_append_basic(&variant, DBUS_TYPE_STRING, &characters);
  });
}

void add_flag(DBusMessageIter& options, const char* name) {
  add_option(options, name, DBUS_TYPE_BOOLEAN_AS_STRING, [](DBusMessageIter& variant) {
    const dbus_bool_t on = TRUE;
    dbus_message_iter_append_basic(&variant, DBUS_TYPE_BOOLEAN, &on);
  });
}

// A path: bytes, with the zero at the end.
void add_path(DBusMessageIter& options, const char* name, const std::string& path) {
  add_option(options, name, "ay", [&](DBusMessageIter& variant) {
    DBusMessageIter bytes;
    const char* characters = path.c_str();
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE_AS_STRING, &bytes);
    dbus_message_iter_append_fixed_array(&bytes, DBUS_TYPE_BYTE, &characters, int(path.size() + 1));
    dbus_message_iter_close_container(&variant, &bytes);
  });
}

bus::Message chooser_call(const PortalQuestion& question, const std::string& token) {
  const bool save = question.kind == FileDialogKind::kSaveFile;
  bus::Message message = bus::method_call(kPortal, kPortalObject, kFileChooser, save ? "SaveFile" : "OpenFile");
  if (!message) return message;
  DBusMessageIter arguments, options;
  const char* no_parent = "";
  const char* title = dbus_validate_utf8(question.title.c_str(), nullptr) ? question.title.c_str() : "hipsplat";
  dbus_message_iter_init_append(message.get(), &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &no_parent);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &title);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options);
  add_text(options, "handle_token", token);
  if (is_folder(question.kind)) add_flag(options, "directory");
  if (save && !question.suggested.empty()) add_text(options, "current_name", question.suggested);
  if (!question.folder.empty()) add_path(options, "current_folder", question.folder);
  dbus_message_iter_close_container(&arguments, &options);
  return message;
}

// ---- what comes back

// The number in the variant that a property comes in.
std::optional<uint32_t> number_in(DBusMessage* reply) {
  DBusMessageIter arguments, variant;
  if (!dbus_message_iter_init(reply, &arguments)) return std::nullopt;
  if (dbus_message_iter_get_arg_type(&arguments) != DBUS_TYPE_VARIANT) return std::nullopt;
  dbus_message_iter_recurse(&arguments, &variant);
  if (dbus_message_iter_get_arg_type(&variant) != DBUS_TYPE_UINT32) return std::nullopt;
  uint32_t number = 0;
  dbus_message_iter_get_basic(&variant, &number);
  return number;
}

// The first of the texts in the variant at `entry`'s value.
std::optional<std::string> first_text(DBusMessageIter& entry) {
  DBusMessageIter variant, texts;
  if (!dbus_message_iter_next(&entry) || dbus_message_iter_get_arg_type(&entry) != DBUS_TYPE_VARIANT)
    return std::nullopt;
  dbus_message_iter_recurse(&entry, &variant);
  if (dbus_message_iter_get_arg_type(&variant) != DBUS_TYPE_ARRAY) return std::nullopt;
  dbus_message_iter_recurse(&variant, &texts);
  if (dbus_message_iter_get_arg_type(&texts) != DBUS_TYPE_STRING) return std::nullopt;
  const char* text = nullptr;
  dbus_message_iter_get_basic(&texts, &text);
  return std::string(text);
}

// Response(u response, a{sv} results): 0 is success, and results["uris"] says what was chosen.
std::optional<fs::path> chosen_in(DBusMessage* response) {
  DBusMessageIter arguments, results, entry;
  uint32_t code = 1;
  if (!dbus_message_iter_init(response, &arguments)) return std::nullopt;
  if (dbus_message_iter_get_arg_type(&arguments) != DBUS_TYPE_UINT32) return std::nullopt;
  dbus_message_iter_get_basic(&arguments, &code);
  if (code != 0 || !dbus_message_iter_next(&arguments)) return std::nullopt;
  if (dbus_message_iter_get_arg_type(&arguments) != DBUS_TYPE_ARRAY) return std::nullopt;
  for (dbus_message_iter_recurse(&arguments, &results);
       dbus_message_iter_get_arg_type(&results) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&results)) {
    const char* name = nullptr;
    dbus_message_iter_recurse(&results, &entry);
    if (dbus_message_iter_get_arg_type(&entry) != DBUS_TYPE_STRING) return std::nullopt;
    dbus_message_iter_get_basic(&entry, &name);
    if (std::string_view(name) != "uris") continue;
    const auto uri = first_text(entry);
    return uri ? path_of_file_uri(*uri) : std::nullopt;
  }
  return std::nullopt;
}

// The object that a request with this token gets: /org/.../request/1_42/token for the sender ":1.42".
std::string request_object(std::string sender, const std::string& token) {
  if (!sender.empty() && sender.front() == ':') sender.erase(0, 1);
  for (char& c : sender)
    if (c == '.') c = '_';
  return std::string(kPortalObject) + "/request/" + sender + "/" + token;
}

}  // namespace

struct DesktopPortal::Conversation {
  Conversation(std::string bus, PortalQuestion asked)
      : address(std::move(bus)), question(std::move(asked)), thread([this] { answer.put(converse()); }) {}
  ~Conversation() {
    stop = true;
    thread.join();
  }

  // ---- on the thread

  PortalAnswer converse() {
    const auto deadline = bus::Clock::now() + kAnswerTime;
    if (!connection.open(address, deadline) || version(deadline) < least_version()) return {};
    static std::atomic<unsigned> asked{0};
    const std::string token = "hipsplat" + std::to_string(getpid()) + "_" + std::to_string(++asked);
    std::string object = request_object(connection.name(), token);
    if (!listen_to(object)) return {};
    const bus::Message reply = connection.ask(chooser_call(question, token), bus::Clock::now() + kAnswerTime);
    const std::string given = bus::text_in(reply.get(), DBUS_TYPE_OBJECT_PATH);
    if (given.empty()) return {};
    if (given != object && !listen_to(object = given)) return {};  // a portal older than tokens
    return {true, wait_for_response(object)};
  }

  uint32_t least_version() const { return is_folder(question.kind) ? kFolderVersion : 1; }

  uint32_t version(bus::Clock::time_point deadline) {
    bus::Message message = bus::method_call(kPortal, kPortalObject, DBUS_INTERFACE_PROPERTIES, "Get");
    const char *interface = kFileChooser, *property = "version";
    if (!message || !dbus_message_append_args(message.get(), DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property,
                                              DBUS_TYPE_INVALID))
      return 0;
    const bus::Message reply = connection.ask(std::move(message), deadline);
    return reply ? number_in(reply.get()).value_or(0) : 0;
  }

  bool listen_to(const std::string& object) {
    return connection.listen(std::string("type='signal',interface='") + kRequest + "',member='Response',path='" +
                             object + "'");
  }

  std::optional<fs::path> wait_for_response(const std::string& object) {
    while (const bus::Message message = connection.next(bus::Clock::time_point::max()))
      if (dbus_message_is_signal(message.get(), kRequest, "Response") &&
          dbus_message_has_path(message.get(), object.c_str()))
        return chosen_in(message.get());
    return std::nullopt;
  }

  const std::string address;
  const PortalQuestion question;
  std::atomic<bool> stop{false};
  Mailbox<PortalAnswer> answer;
  bus::Connection connection{stop};  // the thread's own; when it ends the portal takes the dialog away
  std::thread thread;
};

DesktopPortal::DesktopPortal(const std::string& bus, PortalQuestion question)
    : conversation_(std::make_unique<Conversation>(bus, std::move(question))) {}
DesktopPortal::~DesktopPortal() = default;

std::optional<PortalAnswer> DesktopPortal::poll() { return conversation_->answer.take(); }

std::string session_bus_address() {
  if (const char* address = splat::environment("DBUS_SESSION_BUS_ADDRESS"); address && *address) return address;
  const char* runtime = splat::environment("XDG_RUNTIME_DIR");
  const std::string socket = runtime && *runtime ? std::string(runtime) + "/bus" : "";
  return !socket.empty() && access(socket.c_str(), R_OK | W_OK) == 0 ? "unix:path=" + socket : "";
}

std::optional<fs::path> path_of_file_uri(const std::string& uri) {
  std::string_view rest = uri;
  if (!rest.starts_with("file://")) return std::nullopt;
  rest.remove_prefix(7);
  if (rest.starts_with("localhost/")) rest.remove_prefix(9);
  if (!rest.starts_with('/')) return std::nullopt;
  const auto path = splat::percent_decoded(rest);
  if (!path || path->find('\0') != std::string::npos) return std::nullopt;
  return fs::path(*path);
}

}  // namespace viewer
