// Structs that cross the library's boundary: their struct_size decides what is read and written of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "library/errors.h"

namespace library {

// Bytes that later versions may add. A size beyond that is no version's, and nothing behind it is looked at.
inline constexpr size_t kMostLaterBytes = 256;

template <class T>
void check_pointer(const T* pointer, std::string_view name) {
  if (!pointer) refuse(std::string(name) + " is null");
}

// The caller's sizeof(T).
template <class T>
size_t check_size(const T* given, std::string_view name) {
  check_pointer(given, name);
  size_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size < sizeof(T) || size > sizeof(T) + kMostLaterBytes)
    refuse("struct_size of " + std::string(name) + " is " + std::to_string(size) + ", and the struct has " +
           std::to_string(sizeof(T)) + " bytes");
  return size;
}

// What the caller gives.
template <class T>
T read_struct(const T* given, std::string_view name) {
  const size_t size = check_size(given, name);
  const char* bytes = reinterpret_cast<const char*>(given);
  if (std::any_of(bytes + sizeof(T), bytes + size, [](char byte) { return byte != 0; }))
    refuse(std::string(name) + " has fields of a later version that are not zero");
  T copy;
  std::memcpy(&copy, given, sizeof(T));
  return copy;
}

// What the caller gets.
template <class T>
void write_struct(T* out, T value, std::string_view name) {
  const size_t size = check_size(out, name);
  value.struct_size = size;
  std::memset(reinterpret_cast<char*>(out), 0, size);
  std::memcpy(out, &value, sizeof(T));
}

// Cut to whole characters of UTF-8.
template <size_t room>
void write_text(char (&out)[room], std::string_view text) {
  size_t length = std::min(text.size(), room - 1);
  while (length < text.size() && length > 0 && (text[length] & 0xc0) == 0x80) --length;
  std::memcpy(out, text.data(), length);
  std::memset(out + length, 0, room - length);
}

// "a\nb" of sentences.
template <class Sentences>
std::string lines_of(const Sentences& sentences) {
  std::string text;
  for (const auto& sentence : sentences) text += (text.empty() ? "" : "\n") + std::string(sentence);
  return text;
}

inline void check_threads(int threads) {
  constexpr int kMostThreads = 4096;
  if (threads < 0 || threads > kMostThreads)
    refuse("threads is " + std::to_string(threads) + "; it is 0 (one a core) to " + std::to_string(kMostThreads));
}

}  // namespace library
