#include "io/dataset/streaming_source.h"

#include <algorithm>
#include <exception>
#include <new>

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
  threads_.reserve(size_t(std::max(1, threads)));
  for (int i = 0; i < std::max(1, threads); ++i) try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::exception&) {  // a limit on threads, or no memory: get() loads what nobody has loaded before
      break;
    }
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

Result<TrainingImage*> StreamingSource::get(int view) {
  std::unique_lock lock(mutex_);
  current_ = view;
  const auto planned = std::find(plan_.begin(), plan_.end(), view);
  if (planned != plan_.end()) plan_.erase(plan_.begin(), planned + 1);
  const auto under_way = [&] {
    const auto entry = entries_.find(view);
    return entry != entries_.end() && !entry->second;
  };
  loaded_.wait(lock, [&] { return !under_way(); });
  if (!entries_.contains(view)) {
    make_room({view});
    if (!load_entry(view, lock)) throw std::bad_alloc();
  }
  work_to_do_.notify_all();  // the photo returned before may go now
  Result<TrainingImage>& result = *entries_[view];
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

bool StreamingSource::load_entry(int view, std::unique_lock<std::mutex>& lock) {
  std::vector<int> views;
  try {
    views.push_back(view);
    entries_[view] = nullptr;
    const std::set<int> wanted = window();
    for (const int other : loader_->from_same_file(view)) {
      if (!wanted.contains(other) || entries_.contains(other) || !make_room(wanted)) continue;
      views.push_back(other);
      entries_[other] = nullptr;
    }
  } catch (const std::bad_alloc&) {
    for (const int each : views) entries_.erase(each);
    return false;
  }
  lock.unlock();
  std::vector<Result<TrainingImage>> images;
  std::vector<std::unique_ptr<Result<TrainingImage>>> loaded;
  try {
    images = loader_->load_together(views);
    for (Result<TrainingImage>& image : images)
      loaded.push_back(std::make_unique<Result<TrainingImage>>(std::move(image)));
  } catch (const std::bad_alloc&) {
  }
  lock.lock();
  const bool complete = loaded.size() == views.size();
  for (size_t i = 0; i < views.size(); ++i)
    if (complete)
      entries_[views[i]] = std::move(loaded[i]);
    else
      entries_.erase(views[i]);
  loaded_.notify_all();
  return complete;
}

// Without memory for a photo nothing is read ahead: get() will try once more, and report it.
void StreamingSource::work() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    bool idle = true;
    try {
      if (const std::optional<int> view = next_to_load()) idle = !load_entry(*view, lock);
    } catch (const std::bad_alloc&) {
    }
    if (idle && !stop_) work_to_do_.wait(lock);
  }
}

}  // namespace io
