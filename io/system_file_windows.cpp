#include "io/system_file.h"

#include <fcntl.h>
#include <io.h>
#ifndef NOMINMAX  // windows.h takes std::min otherwise
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <algorithm>
#include <cerrno>

namespace io::system_file {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMostAtOnce = size_t(1) << 30;  // lengths of calls have 32 bits

HANDLE handle_of(int file) { return HANDLE(::_get_osfhandle(file)); }

int failed() {
  switch (::GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
      errno = ENOENT;
      break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      errno = EEXIST;
      break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      errno = ENOSPC;
      break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
      errno = EACCES;
      break;
    default:
      errno = EIO;
  }
  return -1;
}

// Files are opened here and not by _wopen(), whose files nobody may rename or remove.
int open(const fs::path& path, DWORD access, DWORD share, DWORD disposition) {
  const HANDLE handle =
      ::CreateFileW(path.c_str(), access, share, nullptr, disposition, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return failed();
  return ::_open_osfhandle(intptr_t(handle), _O_BINARY | _O_NOINHERIT);
}

OVERLAPPED at(uint64_t offset) {
  OVERLAPPED place{};
  place.Offset = DWORD(offset);
  place.OffsetHigh = DWORD(offset >> 32);
  return place;
}

}  // namespace

int open_to_read(const fs::path& path) {
  return open(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, OPEN_EXISTING);
}

int64_t size_of(int file) { return ::_filelengthi64(file); }

int64_t read_at(int file, void* to, size_t bytes, uint64_t offset) {
  OVERLAPPED place = at(offset);
  DWORD got = 0;
  if (::ReadFile(handle_of(file), to, DWORD(std::min(bytes, kMostAtOnce)), &got, &place)) return got;
  return ::GetLastError() == ERROR_HANDLE_EOF ? 0 : failed();
}

void close(int file) { ::_close(file); }

std::FILE* open_stream(const fs::path& path) { return ::_wfopen(path.c_str(), L"rb"); }

int create(const fs::path& path) { return open(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, CREATE_NEW); }

int64_t write(int file, const void* from, size_t bytes) {
  DWORD written = 0;
  const bool done = ::WriteFile(handle_of(file), from, DWORD(std::min(bytes, kMostAtOnce)), &written, nullptr);
  return done ? int64_t(written) : failed();
}

// Leaves the position of write() where it was.
int64_t write_at(int file, const void* from, size_t bytes, uint64_t offset) {
  const HANDLE handle = handle_of(file);
  LARGE_INTEGER before{};
  if (!::SetFilePointerEx(handle, {}, &before, FILE_CURRENT)) return failed();
  OVERLAPPED place = at(offset);
  DWORD written = 0;
  const bool done = ::WriteFile(handle, from, DWORD(std::min(bytes, kMostAtOnce)), &written, &place);
  const int64_t result = done ? int64_t(written) : failed();
  return ::SetFilePointerEx(handle, before, nullptr, FILE_BEGIN) ? result : failed();
}

int reserve(int file, uint64_t bytes) {
  FILE_ALLOCATION_INFO size{};
  size.AllocationSize.QuadPart = LONGLONG(bytes);
  if (::SetFileInformationByHandle(handle_of(file), FileAllocationInfo, &size, sizeof size)) return 0;
  return ::GetLastError() == ERROR_DISK_FULL ? failed() : 0;
}

int flush(int file) { return ::FlushFileBuffers(handle_of(file)) ? 0 : failed(); }

int replace(const fs::path& from, const fs::path& to) {
  return ::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : failed();
}

int exchange(const fs::path&, const fs::path&) {
  errno = ENOSYS;
  return -1;
}

void flush_folder(const fs::path&) {}  // replace() has written it

void remove(const wchar_t* path) noexcept { ::DeleteFileW(path); }

bool means_no_room(int code) { return code == ENOSPC; }

int process_id() { return int(::GetCurrentProcessId()); }

// Whoever writes it does not share that.
void remove_unless_written(const fs::path& path) {
  const int file = open(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, OPEN_EXISTING);
  if (file < 0) return;
  ::_close(file);
  remove(path.c_str());
}

}  // namespace io::system_file
