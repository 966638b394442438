#include "io/atomic_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <iterator>
#include <string>
#include <utility>

#include "io/companion.h"
#include "io/names.h"
#include "io/system_file.h"
#include "splat/core/check.h"
#include "splat/core/system.h"

namespace io {

namespace fs = std::filesystem;

namespace {
constexpr size_t kBufferBytes = size_t(1) << 17;
constexpr std::string_view kPartial = ".hipsplat.part";  // a mark of our own, then PID-SERIAL
constexpr int kMostTries = 10'000;

// The temporary files that exist now, in storage that a signal handler may read at any moment.
struct PartialFile {
  enum : int { kFree, kTaken, kNamed };
  std::atomic<int> state{kFree};
  fs::path::value_type path[PATH_MAX];
};
PartialFile g_partial_files[8];
static_assert(std::atomic<int>::is_always_lock_free);

// The slot of the name, or -1 when all are taken or the name is longer than a path may be.
int remember_partial_file(const fs::path::string_type& path) {
  if (path.size() >= PATH_MAX) return -1;
  for (int slot = 0; slot < int(std::size(g_partial_files)); ++slot) {
    PartialFile& file = g_partial_files[slot];
    int expected = PartialFile::kFree;
    if (!file.state.compare_exchange_strong(expected, PartialFile::kTaken)) continue;
    std::copy_n(path.c_str(), path.size() + 1, file.path);
    file.state = PartialFile::kNamed;
    return slot;
  }
  return -1;
}

void forget_partial_file(int& slot) {
  if (slot >= 0) g_partial_files[slot].state = PartialFile::kFree;
  slot = -1;
}

}  // namespace

void remove_partial_files() noexcept {
  for (PartialFile& file : g_partial_files)
    if (file.state == PartialFile::kNamed) system_file::remove(file.path);
}

std::string target_of_partial_file(const fs::path& file) {
  const std::string name = file.filename().string();
  const size_t at = name.rfind(kPartial);
  if (at == std::string::npos) return {};
  const std::string numbers = name.substr(at + kPartial.size());  // PID-SERIAL
  const size_t dash = numbers.find('-');
  const auto all_digits = [](const std::string& text) {
    return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
  };
  const bool both =
      dash != std::string::npos && all_digits(numbers.substr(0, dash)) && all_digits(numbers.substr(dash + 1));
  return both ? name.substr(0, at) : std::string();
}

void remove_dead_partial_files(const fs::path& folder, const std::string& name) {
  std::error_code code;
  for (fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, code), end; !code && entry != end;
       entry.increment(code)) {
    const std::string target = target_of_partial_file(entry->path());
    if (!target.empty() && (name.empty() || target == name)) system_file::remove_unless_written(entry->path());
  }
}

void remove_dead_partial_files_of(const fs::path& target) {
  remove_dead_partial_files(target.parent_path(), target.filename().string());
}

// What an earlier process with this one's number left, as in a container, where all have the number 1, only costs a
// serial.
void AtomicFile::create() {
  static std::atomic<unsigned> serial{0};
  for (int tries = 0; tries < kMostTries; ++tries) {
    temporary_ = target_;
    temporary_ += std::string(kPartial) + std::to_string(system_file::process_id()) + "-" + std::to_string(serial++);
    std::error_code code;
    errno = EEXIST;
    if (fs::exists(fs::symlink_status(temporary_, code))) continue;
    partial_slot_ = remember_partial_file(temporary_.native());  // before a signal can find it
    fd_ = system_file::create(temporary_);
    if (fd_ >= 0) return;
    forget_partial_file(partial_slot_);
    if (errno != EEXIST) return;
  }
}

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  if (const Status status = check_place_of_file(target_); !status) {
    error_ = status.error().message;
    return;
  }
  std::error_code code;
  if (fs::is_symlink(target_, code)) {  // the file it leads to is replaced, not the link
    const fs::path real = fs::weakly_canonical(target_, code);
    if (!code) target_ = real;
  }
  create();
  if (fd_ < 0) fail("cannot create");
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (fd_ < 0) return;
  system_file::close(fd_);
  fd_ = -1;
  system_file::remove(temporary_.c_str());
  forget_partial_file(partial_slot_);
}

void AtomicFile::fail(const char* doing) {
  if (!error_.empty()) return;
  const int code = errno;
  error_ = std::string(doing) + " '" + target_.string() + "': " + splat::error_text(code);
  if (system_file::means_no_room(code)) error_ += "; free some space or choose another output folder";
}

void AtomicFile::write_out(std::string_view bytes) {
  while (!bytes.empty() && error_.empty()) {
    const int64_t written = system_file::write(fd_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(size_t(written));
    } else if (errno != EINTR) {
      fail("cannot write");
    }
  }
}

void AtomicFile::flush() {
  write_out(buffer_);
  buffer_.clear();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  if (!error_.empty()) return;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (buffer_.size() + text.size() >= kBufferBytes) flush();
  if (text.size() >= kBufferBytes)
    write_out(text);
  else
    buffer_.append(text);
}

void AtomicFile::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  flush();
  while (!bytes.empty() && error_.empty()) {
    const int64_t written = system_file::write_at(fd_, bytes.data(), bytes.size(), offset);
    if (written >= 0) {
      bytes = bytes.subspan(size_t(written));
      offset += uint64_t(written);
    } else if (errno != EINTR) {
      fail("cannot write");
    }
  }
}

void AtomicFile::expect(uint64_t bytes) {
  if (!error_.empty() || bytes == 0) return;
  if (system_file::reserve(fd_, bytes) != 0) fail("cannot write");
}

Status AtomicFile::commit() {
  SPLAT_CHECK(fd_ >= 0 || failed());  // commit() is called once
  flush();
  if (!failed() && system_file::flush(fd_) != 0) fail("cannot write");
  if (!failed() && system_file::replace(temporary_, target_) != 0) fail("cannot replace");
  if (failed()) {
    discard();
    return Error{error_};
  }
  system_file::close(std::exchange(fd_, -1));
  forget_partial_file(partial_slot_);
  system_file::flush_folder(target_.has_parent_path() ? target_.parent_path() : fs::path("."));
  return {};
}

Status write_file_atomically(const fs::path& target, std::string_view bytes) {
  AtomicFile file(target);
  file.write(bytes);
  return file.commit();
}

}  // namespace io
