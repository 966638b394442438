// Files as the system has them, beyond standard C++: what ByteStream and AtomicFile need of it, and the only part of
// them that another system writes anew. system_file.cpp is for POSIX, system_file_windows.cpp for Windows. Files are
// descriptors that other programs do not inherit; failures are negative, and errno says why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>

namespace io::system_file {

// ---- reading
// A regular file. Of others none is opened, and errno is 0: a pipe or a socket would be waited for, a device may never
// end.
int open_to_read(const std::filesystem::path& path);
int64_t size_of(int file);
// Bytes read, fewer than asked for also before the end, 0 at it. Any number of threads at once.
int64_t read_at(int file, void* to, size_t bytes, uint64_t offset);
void close(int file);
std::FILE* open_stream(const std::filesystem::path& path);  // to read, also from a pipe; null for a failure

// ---- writing
// A new file, locked where there are locks as long as it is open: says to others that somebody writes it. It may be
// renamed and removed all the same. EEXIST: there is one, or somebody took this one away again.
int create(const std::filesystem::path& path);
int64_t write(int file, const void* from, size_t bytes);  // bytes written, fewer also without a failure
int64_t write_at(int file, const void* from, size_t bytes, uint64_t offset);
int reserve(int file, uint64_t bytes);  // room on the disk; a system that cannot do it succeeds
int flush(int file);                    // to the disk
int replace(const std::filesystem::path& from, const std::filesystem::path& to);  // `to` may be there
// Two folders, or files, that are there take each other's place in one step; fails where the system knows no such step.
int exchange(const std::filesystem::path& one, const std::filesystem::path& other);
void flush_folder(const std::filesystem::path& folder);  // makes a rename durable; where it cannot be done, nothing
void remove(const std::filesystem::path::value_type* path) noexcept;  // async-signal-safe
bool means_no_room(int code);  // whether errno says that the disk, or the user's share of it, is full

// ---- who writes
int process_id();
// Removes a file of create() whose lock nobody holds any longer.
void remove_unless_written(const std::filesystem::path& path);

}  // namespace io::system_file
