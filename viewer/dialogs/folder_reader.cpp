#include "viewer/dialogs/folder_reader.h"

#include <utility>

namespace viewer {

FolderReader::~FolderReader() { give_up(); }

void FolderReader::give_up() {
  for (Reading& reading : all_) reading.stop = true;
  for (Reading& reading : all_) reading.thread.join();
  all_.clear();
}

void FolderReader::set_waker(std::function<void()> waker) {
  give_up();
  waker_ = std::move(waker);
}

void FolderReader::read(const std::filesystem::path& folder, std::function<std::vector<Place>()> places) {
  for (Reading& reading : all_) reading.stop = true;
  std::erase_if(all_, [](Reading& reading) {
    if (!reading.done) return false;
    reading.thread.join();
    return true;
  });
  Reading& reading = all_.emplace_back();
  reading.contents.set_waker(waker_);
  reading.places.set_waker(waker_);
  reading.thread = std::thread([&reading, folder, places = std::move(places)] {
    FolderContents contents = read_folder(folder, reading.stop);
    if (!reading.stop) reading.contents.put(std::move(contents));
    if (!reading.stop) reading.places.put(places());
    reading.done = true;
  });
}

std::optional<FolderContents> FolderReader::take_contents() {
  return all_.empty() ? std::nullopt : all_.back().contents.take();
}

std::optional<std::vector<Place>> FolderReader::take_places() {
  return all_.empty() ? std::nullopt : all_.back().places.take();
}

}  // namespace viewer
