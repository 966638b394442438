// Messages from one thread to another: values of any type, whole, by move, in the order in which they were put,
// whatever their types. Of a type that says `using OnlyNewest = void;` (states, pictures) one waits at most: a newer
// one comes at the end, and the older one is dropped; what is not to be lost of that goes on by `follow(Message&&)`. A
// new message is a struct, put by one side, and a handler on the other. The waker, where one is set, is called after
// each put, from the writer's thread, outside the lock. Without one nothing is touched after the lock: the reader may
// destroy the bus as soon as it has the value.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "splat/core/check.h"

namespace viewer {

class Bus {
 public:
  void set_waker(std::function<void()> waker) { waker_ = std::move(waker); }  // before the threads start

  // The reader's, before the first message of this type is delivered; in place of an earlier one.
  template <class Message>
  void on(std::function<void(Message&&)> handle) {
    handlers_[type_of<Message>()] = [handle = std::move(handle)](Held& held) {
      handle(std::move(static_cast<Value<Message>&>(held).value));
    };
  }

  template <class Message>
  void put(Message message) {
    std::list<std::unique_ptr<Held>> fresh, dropped;  // freed outside the lock
    fresh.push_back(std::make_unique<Value<Message>>(std::move(message)));
    bool wakes = false;
    {
      std::lock_guard lock(mutex_);
      if constexpr (requires { typename Message::OnlyNewest; })
        if (const auto older = find<Message>(); older != waiting_.end()) {
          dropped.splice(dropped.end(), waiting_, older);
          if constexpr (requires(Message & newer) { newer.follow(std::move(newer)); })
            value_of<Message>(fresh).follow(std::move(value_of<Message>(dropped)));
        }
      waiting_.splice(waiting_.end(), fresh);
      wakes = waker_ != nullptr;
      arrived_.notify_one();
    }
    if (wakes) waker_();
  }

  // Hands all that have arrived to their handlers, oldest first, with what these put meanwhile; true: there was one.
  bool deliver() {
    bool any = false;
    while (deliver_one(std::chrono::milliseconds(0))) any = true;
    return any;
  }
  bool deliver_one(std::chrono::milliseconds longest) {  // the oldest, waiting for one; false: none came
    std::list<std::unique_ptr<Held>> oldest;
    {
      std::unique_lock lock(mutex_);
      if (!arrived_.wait_for(lock, longest, [&] { return !waiting_.empty(); })) return false;
      oldest.splice(oldest.end(), waiting_, waiting_.begin());
    }
    const auto handler = handlers_.find(oldest.front()->type);
    SPLAT_CHECK(handler != handlers_.end());  // somebody must answer for every message
    handler->second(*oldest.front());
    return true;
  }

  template <class Message>
  std::optional<Message> take() {  // the oldest of this type, before its turn
    std::lock_guard lock(mutex_);
    const auto found = find<Message>();
    if (found == waiting_.end()) return std::nullopt;
    std::optional<Message> message(std::move(static_cast<Value<Message>&>(**found).value));
    waiting_.erase(found);
    return message;
  }
  template <class Message>
  bool waits() const {  // one of this type has not been delivered yet
    std::lock_guard lock(mutex_);
    return find<Message>() != waiting_.end();
  }
  bool empty() const {
    std::lock_guard lock(mutex_);
    return waiting_.empty();
  }

 private:
  using Type = const void*;
  template <class Message>
  static Type type_of() {
    static const char type = 0;
    return &type;
  }
  struct Held {
    explicit Held(Type of) : type(of) {}
    virtual ~Held() = default;
    const Type type;
  };
  template <class Message>
  struct Value final : Held {
    explicit Value(Message&& given) : Held(type_of<Message>()), value(std::move(given)) {}
    Message value;
  };
  template <class Message>
  static Message& value_of(const std::list<std::unique_ptr<Held>>& held) {  // the first
    return static_cast<Value<Message>&>(*held.front()).value;
  }
  template <class Message>
  auto find() const {
    return std::find_if(waiting_.begin(), waiting_.end(),
                        [](const auto& held) { return held->type == type_of<Message>(); });
  }

  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::list<std::unique_ptr<Held>> waiting_;
  std::map<Type, std::function<void(Held&)>> handlers_;
  std::function<void()> waker_;
};

}  // namespace viewer
