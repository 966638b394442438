#include "align/colmap/database.h"

#include <sqlite3.h>

#include <algorithm>

#include "splat/core/check.h"

namespace align {

namespace fs = std::filesystem;
using splat::Error, splat::Result, splat::Status;

namespace {

constexpr uint64_t kMaxImages = 2147483647;  // COLMAP's kMaxNumImages
constexpr int kLockedMs = 60'000;

Error problem(sqlite3* handle, const std::string& name) {
  const int code = sqlite3_errcode(handle);
  const bool damaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return Error{"the database '" + name + "' cannot be used: " + sqlite3_errmsg(handle) +
               (damaged ? "; remove it, and the same command makes it anew" : "")};
}

// One prepared statement, stepped through.
class Statement {
 public:
  Statement(sqlite3* handle, const std::string& name, const std::string& sql) : handle_(handle), name_(name) {
    failed_ = sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK;
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // False: no row is left.
  Result<bool> step() {
    if (failed_) return problem(handle_, name_);
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return problem(handle_, name_);
  }
  Status run() {
    SPLAT_ASSIGN_OR_RETURN(const bool row, step());
    (void)row;
    sqlite3_reset(statement_);
    return {};
  }
  void bind(int index, uint64_t value) { sqlite3_bind_int64(statement_, index, int64_t(value)); }
  void bind(int index, const void* bytes, size_t count) {
    sqlite3_bind_blob64(statement_, index, bytes, count, SQLITE_STATIC);
  }
  int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string text(int column) const {
    const unsigned char* text = sqlite3_column_text(statement_, column);
    return text ? reinterpret_cast<const char*>(text) : "";
  }
  std::span<const uint8_t> blob(int column) const {
    const void* bytes = sqlite3_column_blob(statement_, column);
    return {static_cast<const uint8_t*>(bytes), size_t(sqlite3_column_bytes(statement_, column))};
  }

 private:
  sqlite3* handle_;
  std::string name_;
  sqlite3_stmt* statement_ = nullptr;
  bool failed_ = false;
};

Status execute(sqlite3* handle, const std::string& name, const char* sql) { return Statement(handle, name, sql).run(); }

}  // namespace

uint64_t pair_id_of(ImagePair pair) {
  SPLAT_CHECK_LT(pair.first, pair.second);
  return kMaxImages * pair.first + pair.second;
}

ImagePair pair_of_id(uint64_t pair_id) { return {uint32_t(pair_id / kMaxImages), uint32_t(pair_id % kMaxImages)}; }

void ColmapDatabase::Close::operator()(sqlite3* handle) const { sqlite3_close(handle); }

Result<ColmapDatabase> ColmapDatabase::open(const fs::path& path) {
  ColmapDatabase database;
  database.name_ = path.string();
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE, nullptr);
  database.handle_.reset(handle);
  if (code != SQLITE_OK) return problem(handle, database.name_);
  sqlite3_busy_timeout(handle, kLockedMs);
  SPLAT_TRY(execute(handle, database.name_, "PRAGMA synchronous=NORMAL"));
  return database;
}

Result<std::vector<DatabaseImage>> ColmapDatabase::images() {
  std::vector<DatabaseImage> images;
  Statement rows(handle_.get(), name_,
                 "SELECT images.image_id, images.camera_id, images.name, COALESCE(descriptors.rows, 0) FROM images "
                 "LEFT JOIN descriptors ON descriptors.image_id = images.image_id ORDER BY images.name");
  while (true) {
    SPLAT_ASSIGN_OR_RETURN(const bool row, rows.step());
    if (!row) return images;
    images.push_back({uint32_t(rows.integer(0)), uint32_t(rows.integer(1)), rows.text(2),
                      uint32_t(std::max<int64_t>(rows.integer(3), 0))});
  }
}

Result<std::vector<uint8_t>> ColmapDatabase::descriptors(uint32_t image_id) {
  Statement columns(handle_.get(), name_, "SELECT rows, cols, data FROM descriptors WHERE image_id = ?");
  columns.bind(1, image_id);
  SPLAT_ASSIGN_OR_RETURN(const bool row, columns.step());
  if (!row) return std::vector<uint8_t>();
  const std::span<const uint8_t> data = columns.blob(2);
  const int64_t count = columns.integer(0), width = columns.integer(1);
  if (count < 0 || width != int64_t(kDescriptorBytes) || uint64_t(count) * kDescriptorBytes != data.size())
    return Error{"the database '" + name_ + "' holds descriptors that are not SIFT's: image " +
                 std::to_string(image_id) + " has " + std::to_string(count) + " of " + std::to_string(width) +
                 " values in " + std::to_string(data.size()) + " bytes"};
  return std::vector<uint8_t>(data.begin(), data.end());
}

Result<std::map<ImagePair, Verified>> ColmapDatabase::verified_pairs() {
  std::map<ImagePair, Verified> pairs;
  Statement rows(handle_.get(), name_, "SELECT pair_id, rows, config FROM two_view_geometries");
  while (true) {
    SPLAT_ASSIGN_OR_RETURN(const bool row, rows.step());
    if (!row) return pairs;
    pairs[pair_of_id(uint64_t(rows.integer(0)))] = {uint32_t(rows.integer(1)), int(rows.integer(2))};
  }
}

Status ColmapDatabase::remove_pairs() {
  SPLAT_TRY(execute(handle_.get(), name_, "DELETE FROM matches"));
  return execute(handle_.get(), name_, "DELETE FROM two_view_geometries");
}

Status ColmapDatabase::remove_pairs(std::span<const ImagePair> pairs) {
  SPLAT_TRY(execute(handle_.get(), name_, "BEGIN IMMEDIATE"));
  Status status;
  for (const char* table : {"matches", "two_view_geometries"}) {
    Statement remove(handle_.get(), name_, std::string("DELETE FROM ") + table + " WHERE pair_id = ?");
    for (size_t i = 0; status && i < pairs.size(); ++i) {
      remove.bind(1, pair_id_of(pairs[i]));
      status = remove.run();
    }
  }
  const Status end = execute(handle_.get(), name_, status ? "COMMIT" : "ROLLBACK");
  return status ? end : status;
}

Status ColmapDatabase::write_matches(std::span<const PairMatches> pairs) {
  SPLAT_TRY(execute(handle_.get(), name_, "BEGIN IMMEDIATE"));
  Status status;
  {
    Statement insert(handle_.get(), name_,
                     "INSERT OR REPLACE INTO matches(pair_id, rows, cols, data) VALUES(?, ?, 2, ?)");
    for (const PairMatches& pair : pairs) {
      insert.bind(1, pair_id_of(pair.pair));
      insert.bind(2, pair.matches.size());
      insert.bind(3, pair.matches.data(), pair.matches.size_bytes());
      status = insert.run();
      if (!status) break;
    }
  }
  const Status end = execute(handle_.get(), name_, status ? "COMMIT" : "ROLLBACK");
  return status ? end : status;
}

}  // namespace align
