// A callable that is moved and never copied, so that a job can own what it works on (std::move_only_function of C++23).
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace splat {

template <class Signature>
class UniqueFunction;

template <class... Arguments>
class UniqueFunction<void(Arguments...)> {
 public:
  UniqueFunction() = default;  // empty: must not be called
  template <class Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, UniqueFunction>) UniqueFunction(Callable&& callable)
      : held_(std::make_unique<Held<std::remove_cvref_t<Callable>>>(std::forward<Callable>(callable))) {}

  explicit operator bool() const { return held_ != nullptr; }
  void operator()(Arguments... arguments) { held_->call(std::forward<Arguments>(arguments)...); }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual void call(Arguments... arguments) = 0;
  };
  template <class Callable>
  struct Held final : Base {
    explicit Held(Callable given) : callable(std::move(given)) {}
    void call(Arguments... arguments) override { callable(std::forward<Arguments>(arguments)...); }
    Callable callable;
  };

  std::unique_ptr<Base> held_;
};

}  // namespace splat
