#include "io/dataset/streaming_source.h"

#include <algorithm>

#include "splat/core/check.h"

namespace io {

using splat::Result, splat::TrainingImage;

std::vector<Result<TrainingImage>> PhotoLoader::load_together(std::span<const int> views) const {
  std::vector<Result<TrainingImage>> images;
  for (const int view : views) images.push_back(load(view));
  return images;
}

StreamingSource::StreamingSource(std::unique_ptr<const PhotoLoader> loader, size_t capacity, int threads)
    : loader_(std::move(loader)), capacity_(std::max<size_t>(2, capacity)) {
  for (int i = 0; i < std::max(1, threads); ++i) threads_.emplace_back([this] { work(); });
}

StreamingSource::~StreamingSource() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_to_do_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void StreamingSource::prefetch(std::span<const int> upcoming) {
  {
    std::lock_guard lock(mutex_);
    plan_.assign(upcoming.begin(), upcoming.end());
  }
  work_to_do_.notify_all();
}

Result<const TrainingImage*> StreamingSource::get(int view) {
  std::unique_lock lock(mutex_);
  current_ = view;
  const auto planned = std::find(plan_.begin(), plan_.end(), view);
  if (planned != plan_.end()) plan_.erase(plan_.begin(), planned + 1);
  if (!entries_.contains(view)) {
    make_room({view});
    load_entry(view, lock);
  }
  loaded_.wait(lock, [&] { return entries_[view] != nullptr; });
  work_to_do_.notify_all();  // the photo returned before may go now
  const Result<TrainingImage>& result = *entries_[view];
  if (!result) {
    const splat::Error error = result.error();
    entries_.erase(view);
    return error;
  }
  return &result.value();
}

size_t StreamingSource::held() {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

std::set<int> StreamingSource::window() const {
  std::set<int> views;
  for (const int view : plan_) {
    if (views.size() + 1 >= capacity_) break;
    if (view != current_) views.insert(view);
  }
  return views;
}

// Lets one photo go if the limit is reached: one outside `keep`. False: all are needed.
bool StreamingSource::make_room(const std::set<int>& keep) {
  if (entries_.size() < capacity_) return true;
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (!entry->second || entry->first == current_ || keep.contains(entry->first)) continue;
    entries_.erase(entry);
    return true;
  }
  return false;
}

std::optional<int> StreamingSource::next_to_load() {
  const std::set<int> wanted = window();
  for (const int view : plan_)
    if (wanted.contains(view) && !entries_.contains(view))
      return make_room(wanted) ? std::optional(view) : std::nullopt;
  return std::nullopt;
}

void StreamingSource::load_entry(int view, std::unique_lock<std::mutex>& lock) {
  entries_[view] = nullptr;
  std::vector<int> views{view};
  const std::set<int> wanted = window();
  for (const int other : loader_->from_same_file(view)) {
    if (!wanted.contains(other) || entries_.contains(other) || !make_room(wanted)) continue;
    entries_[other] = nullptr;
    views.push_back(other);
  }
  lock.unlock();
  std::vector<Result<TrainingImage>> images = loader_->load_together(views);
  lock.lock();
  for (size_t i = 0; i < views.size(); ++i)
    entries_[views[i]] = std::make_unique<const Result<TrainingImage>>(std::move(images[i]));
  loaded_.notify_all();
}

void StreamingSource::work() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (const std::optional<int> view = next_to_load())
      load_entry(*view, lock);
    else
      work_to_do_.wait(lock);
  }
}

}  // namespace io
