#include "viewer/dialogs/desktop_portal.h"

#include <gio/gio.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>
#include <utility>

#include "splat/core/percent_encoding.h"
#include "splat/core/system.h"
#include "viewer/mailbox.h"

namespace viewer {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr const char* kPortalObject = "/org/freedesktop/portal/desktop";
constexpr const char* kFileChooser = "org.freedesktop.portal.FileChooser";
constexpr const char* kRequest = "org.freedesktop.portal.Request";
constexpr const char *kBus = "org.freedesktop.DBus", *kBusObject = "/org/freedesktop/DBus";
constexpr uint32_t kFolderVersion = 3;  // of the interface: the first that chooses folders
constexpr int kAnswerMs = 4000;         // for the portal to start and say what it can do

bool is_text(const std::string& text) {
  return g_utf8_validate(text.c_str(), -1, nullptr);
}  // the bus carries no other

// [(s name, [(u 0: a pattern, s pattern)])]: the kinds, and all files.
GVariant* filters(const FileKinds& kinds) {
  GVariantBuilder list, patterns;
  g_variant_builder_init(&list, G_VARIANT_TYPE("a(sa(us))"));
  g_variant_builder_init(&patterns, G_VARIANT_TYPE("a(us)"));
  for (const std::string& pattern : patterns_of(kinds)) g_variant_builder_add(&patterns, "(us)", 0, pattern.c_str());
  g_variant_builder_add(&list, "(sa(us))", kinds.name.c_str(), &patterns);
  g_variant_builder_init(&patterns, G_VARIANT_TYPE("a(us)"));
  g_variant_builder_add(&patterns, "(us)", 0, "*");
  g_variant_builder_add(&list, "(sa(us))", kAllFiles, &patterns);
  return g_variant_builder_end(&list);
}

// (s parent window, s title, a{sv} options)
GVariant* chooser_arguments(const PortalQuestion& question, const std::string& token) {
  GVariantBuilder options;
  g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
  const auto add = [&](const char* name, GVariant* value) { g_variant_builder_add(&options, "{sv}", name, value); };
  add("handle_token", g_variant_new_string(token.c_str()));
  if (is_folder(question.kind)) add("directory", g_variant_new_boolean(TRUE));
  if (question.kind == FileDialogKind::kSaveFile && !question.suggested.empty() && is_text(question.suggested))
    add("current_name", g_variant_new_string(question.suggested.c_str()));
  if (has_kinds(question.kind, question.kinds) && is_text(question.kinds.name)) add("filters", filters(question.kinds));
  if (!question.folder.empty()) add("current_folder", g_variant_new_bytestring(question.folder.c_str()));
  const char* title = is_text(question.title) ? question.title.c_str() : "hipsplat";
  return g_variant_new("(ssa{sv})", "", title, &options);
}

// Response(u response, a{sv} results): 0 is success, and results["uris"] says what was chosen.
std::optional<fs::path> chosen_in(GVariant* response) {
  guint32 code = 1;
  g_autoptr(GVariant) results = nullptr;
  g_autofree const char** uris = nullptr;
  if (!g_variant_is_of_type(response, G_VARIANT_TYPE("(ua{sv})"))) return std::nullopt;
  g_variant_get(response, "(u@a{sv})", &code, &results);
  if (code != 0 || !g_variant_lookup(results, "uris", "^a&s", &uris) || !uris[0]) return std::nullopt;
  return path_of_file_uri(uris[0]);
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
    g_cancellable_cancel(stop);
    g_main_context_wakeup(signals);
    thread.join();
    g_main_context_unref(signals);
    g_object_unref(stop);
  }

  // ---- on the thread

  PortalAnswer converse() {
    g_main_context_push_thread_default(signals);
    // The thread's own; when it is closed the portal takes the dialog away. GIO's own greeting cannot be stopped.
    bus = g_dbus_connection_new_for_address_sync(address.c_str(), G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT,
                                                 nullptr, stop, nullptr);
    connected = true;
    PortalAnswer given;
    g_autoptr(GVariant) greeting = bus ? call(kBus, kBusObject, kBus, "Hello", nullptr, "(s)") : nullptr;
    if (greeting && version() >= (is_folder(question.kind) ? kFolderVersion : 1)) given = choose(greeting);
    if (bus) g_dbus_connection_close_sync(bus, nullptr, nullptr);
    g_clear_object(&bus);
    g_main_context_pop_thread_default(signals);
    return given;
  }

  // Null: an error, or no reply of this type in time.
  GVariant* call(const char* to, const char* object, const char* interface, const char* method, GVariant* arguments,
                 const char* type) const {
    return g_dbus_connection_call_sync(bus, to, object, interface, method, arguments, G_VARIANT_TYPE(type),
                                       G_DBUS_CALL_FLAGS_NONE, kAnswerMs, stop, nullptr);
  }

  uint32_t version() const {
    g_autoptr(GVariant) reply = call(kPortal, kPortalObject, "org.freedesktop.DBus.Properties", "Get",
                                     g_variant_new("(ss)", kFileChooser, "version"), "(v)");
    g_autoptr(GVariant) number = nullptr;
    if (reply) g_variant_get(reply, "(v)", &number);
    return number && g_variant_is_of_type(number, G_VARIANT_TYPE_UINT32) ? g_variant_get_uint32(number) : 0;
  }

  PortalAnswer choose(GVariant* greeting) {
    const char* name = "";
    g_variant_get(greeting, "(&s)", &name);
    static std::atomic<unsigned> asked{0};
    const std::string token = "hipsplat" + std::to_string(getpid()) + "_" + std::to_string(++asked);
    const std::string object = request_object(name, token);
    listen_to(object);
    g_autoptr(GVariant) reply =
        call(kPortal, kPortalObject, kFileChooser, question.kind == FileDialogKind::kSaveFile ? "SaveFile" : "OpenFile",
             chooser_arguments(question, token), "(o)");
    if (!reply) return {};
    const char* given = nullptr;
    g_variant_get(reply, "(&o)", &given);
    if (given != object) listen_to(given);  // a portal older than tokens
    while (!response.available && !g_cancellable_is_cancelled(stop) && !g_dbus_connection_is_closed(bus))
      g_main_context_iteration(signals, TRUE);
    return {true, response.chosen};
  }

  void listen_to(const std::string& object) {
    const auto take = [](GDBusConnection*, const char*, const char*, const char*, const char*, GVariant* arguments,
                         void* self) {
      static_cast<Conversation*>(self)->response = {true, chosen_in(arguments)};
    };
    g_dbus_connection_signal_subscribe(bus, nullptr, kRequest, "Response", object.c_str(), nullptr,
                                       G_DBUS_SIGNAL_FLAGS_NONE, take, this, nullptr);
    const std::string rule =
        std::string("type='signal',interface='") + kRequest + "',member='Response',path='" + object + "'";
    [[maybe_unused]] g_autoptr(GVariant) done =
        call(kBus, kBusObject, kBus, "AddMatch", g_variant_new("(s)", rule.c_str()), "()");
  }

  const std::string address;
  const PortalQuestion question;
  const Clock::time_point began = Clock::now();
  GCancellable* const stop = g_cancellable_new();
  GMainContext* const signals = g_main_context_new();
  GDBusConnection* bus = nullptr;
  PortalAnswer response;
  std::atomic<bool> connected{false};
  Mailbox<PortalAnswer> answer;
  std::thread thread;
};

DesktopPortal::DesktopPortal(const std::string& bus, PortalQuestion question)
    : conversation_(std::make_unique<Conversation>(bus, std::move(question))) {}
DesktopPortal::~DesktopPortal() = default;

std::optional<PortalAnswer> DesktopPortal::poll() {
  const Conversation& c = *conversation_;
  const bool late = Clock::now() - c.began > std::chrono::milliseconds(kAnswerMs);
  if (late && !c.connected) g_cancellable_cancel(c.stop);  // nobody minds the bus
  return conversation_->answer.take();
}

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
