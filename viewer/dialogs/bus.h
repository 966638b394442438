// A connection to the session's D-Bus for one thread that can be stopped at any time. Nothing of it blocks for longer
// than a look of 50 ms once it is to stop.
#pragma once

#include <dbus/dbus.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <string>

namespace viewer::bus {

using Clock = std::chrono::steady_clock;

struct MessageFree {
  void operator()(DBusMessage* message) const { dbus_message_unref(message); }
};
using Message = std::unique_ptr<DBusMessage, MessageFree>;

Message method_call(const char* to, const char* object, const char* interface, const char* method);
std::string text_in(DBusMessage* reply, int type);               // its first argument, of that type; empty: it has none
void append_text(DBusMessageIter& to, const std::string& text);  // what is not UTF-8 as nothing: the bus refuses it

class Connection {
 public:
  explicit Connection(const std::atomic<bool>& stop) : stop_(stop) {}
  bool open(const std::string& address, Clock::time_point deadline);  // false: nobody is there, or answers
  const std::string& name() const { return name_; }                   // on the bus: ":1.42"

  bool listen(const std::string& rule);  // for signals
  // The reply to a call; null: an error, or none in time. Other messages that come meanwhile are kept for next().
  Message ask(Message call, Clock::time_point deadline);
  Message next(Clock::time_point deadline);  // null: the connection ended, the deadline has passed, or it is to stop

 private:
  struct Free {
    void operator()(DBusConnection* connection) const {
      dbus_connection_close(connection);
      dbus_connection_unref(connection);
    }
  };
  Message receive(Clock::time_point deadline);

  const std::atomic<bool>& stop_;
  std::unique_ptr<DBusConnection, Free> connection_;
  std::string name_;
  std::deque<Message> kept_;
};

}  // namespace viewer::bus
