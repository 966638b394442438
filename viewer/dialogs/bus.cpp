#include "viewer/dialogs/bus.h"

#include <utility>

namespace viewer::bus {
namespace {

constexpr int kLookMs = 50;

}  // namespace

Message method_call(const char* to, const char* object, const char* interface, const char* method) {
  return Message(dbus_message_new_method_call(to, object, interface, method));
}

std::string text_in(DBusMessage* reply, int type) {
  const char* text = nullptr;
  const bool good = reply && dbus_message_get_args(reply, nullptr, type, &text, DBUS_TYPE_INVALID);
  return good && text ? text : "";
}

void append_text(DBusMessageIter& to, const std::string& text) {
  const char* characters = dbus_validate_utf8(text.c_str(), nullptr) ? text.c_str() : "";
  dbus_message_iter_append_basic(&to, DBUS_TYPE_STRING, &characters);
}

bool Connection::open(const std::string& address, Clock::time_point deadline) {
  dbus_threads_init_default();
  connection_.reset(dbus_connection_open_private(address.c_str(), nullptr));
  if (!connection_) return false;
  dbus_connection_set_exit_on_disconnect(connection_.get(), FALSE);
  const Message hello = ask(method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "Hello"), deadline);
  name_ = text_in(hello.get(), DBUS_TYPE_STRING);
  return !name_.empty();
}

bool Connection::listen(const std::string& rule) {
  const char* text = rule.c_str();
  const Message message = method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "AddMatch");
  return message && dbus_message_append_args(message.get(), DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID) &&
         dbus_connection_send(connection_.get(), message.get(), nullptr);
}

Message Connection::receive(Clock::time_point deadline) {
  while (!stop_ && Clock::now() < deadline) {
    if (DBusMessage* message = dbus_connection_pop_message(connection_.get())) return Message(message);
    if (!dbus_connection_read_write(connection_.get(), kLookMs)) break;
  }
  return nullptr;
}

Message Connection::next(Clock::time_point deadline) {
  if (kept_.empty()) return receive(deadline);
  Message first = std::move(kept_.front());
  kept_.pop_front();
  return first;
}

Message Connection::ask(Message call, Clock::time_point deadline) {
  dbus_uint32_t serial = 0;
  if (!call || !dbus_connection_send(connection_.get(), call.get(), &serial)) return nullptr;
  while (Message message = receive(deadline)) {
    if (dbus_message_get_reply_serial(message.get()) != serial) {
      kept_.push_back(std::move(message));
      continue;
    }
    const bool good = dbus_message_get_type(message.get()) == DBUS_MESSAGE_TYPE_METHOD_RETURN;
    return good ? std::move(message) : nullptr;
  }
  return nullptr;
}

}  // namespace viewer::bus
