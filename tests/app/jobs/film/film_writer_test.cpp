// What a film's writer throws reaches whoever ends it, as often as that is asked, and no destructor.
#include "app/jobs/film/film_writer.h"

#include <gtest/gtest.h>

#include <new>

namespace app::test {
namespace {

class Refusing final : public FilmTarget {
 public:
  splat::Status check() const override { return {}; }
  splat::Result<std::vector<int>> begin() override { return std::vector<int>{}; }
  splat::Status write(PictureQueue& queue) override {
    (void)queue.take();
    throw std::bad_alloc();
  }
  splat::Status finish() override { return {}; }
};

TEST(FilmWriter, WhatItThrewIsThrownByItsEndAndNotByADestructor) {
  Refusing target;
  FilmWriter writer(target);
  (void)writer.put({});
  EXPECT_THROW((void)writer.end(true), std::bad_alloc);
  EXPECT_THROW((void)writer.end(true), std::bad_alloc);
  writer.drain();
  FilmWriter other(target);
  (void)other.put({});
  other.drain();
}

}  // namespace
}  // namespace app::test
