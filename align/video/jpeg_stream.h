// Cuts a stream of JPEGs, one behind the other as ffmpeg's image2pipe writes them, into pictures.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace align {

class JpegStream {
 public:
  using OnPicture = std::function<void(std::string_view jpeg)>;
  explicit JpegStream(OnPicture on_picture) : on_picture_(std::move(on_picture)) {}

  void add(std::string_view bytes);
  bool broken() const { return broken_; }         // what came is no JPEG: the rest is ignored
  size_t left() const { return buffer_.size(); }  // bytes of a picture that is not complete

 private:
  OnPicture on_picture_;
  std::string buffer_;
  size_t looked_at_ = 0;  // of the buffer
  bool in_scan_ = false, broken_ = false;
};

}  // namespace align
