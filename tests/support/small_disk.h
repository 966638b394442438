// A tmpfs of a few bytes for the life of the object, where mounting is allowed: a disk that is full soon.
#pragma once

#include <sys/mount.h>

#include <filesystem>
#include <string>

namespace splat::test {

class SmallDisk {
 public:
  SmallDisk(const std::filesystem::path& path, const std::string& bytes) : path_(path) {
    std::filesystem::create_directories(path);
    mounted_ = mount("tmpfs", path.c_str(), "tmpfs", 0, ("size=" + bytes).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  bool resize(const std::string& bytes) const {
    return mount("tmpfs", path_.c_str(), "tmpfs", MS_REMOUNT, ("size=" + bytes).c_str()) == 0;
  }

 private:
  std::filesystem::path path_;
  bool mounted_ = false;
};

}  // namespace splat::test
