// A COLMAP database with the tables that matter, as 3.8 or 4.1 makes it.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace align::test {

class SmallDatabase {
 public:
  SmallDatabase(const std::filesystem::path& path, bool four) : four_(four) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
    run("PRAGMA synchronous=OFF");
    run("CREATE TABLE images (image_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT NOT NULL UNIQUE, "
        "camera_id INTEGER NOT NULL)");
    run(std::string("CREATE TABLE descriptors (image_id INTEGER PRIMARY KEY NOT NULL, ") +
        (four ? "type INTEGER NOT NULL, " : "") + "rows INTEGER NOT NULL, cols INTEGER NOT NULL, data BLOB)");
    run("CREATE TABLE matches (pair_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL, cols INTEGER NOT NULL, "
        "data BLOB)");
    run("CREATE TABLE two_view_geometries (pair_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL, cols INTEGER "
        "NOT NULL, data BLOB, config INTEGER NOT NULL)");
  }
  ~SmallDatabase() { sqlite3_close(handle_); }
  SmallDatabase(const SmallDatabase&) = delete;
  SmallDatabase& operator=(const SmallDatabase&) = delete;

  void run(const std::string& sql) {
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << sql << ": " << message;
  }
  void add_image(int id, const std::string& name, const std::vector<uint8_t>& descriptors, int width = 128) {
    run("INSERT INTO images VALUES(" + std::to_string(id) + ", '" + name + "', 1)");
    run("INSERT INTO descriptors VALUES(" + std::to_string(id) + (four_ ? ", 0, " : ", ") +
        std::to_string(descriptors.size() / size_t(width)) + ", " + std::to_string(width) + ", x'" + hex(descriptors) +
        "')");
  }
  void add_verified(uint64_t pair_id, int inliers, int config) {
    run("INSERT INTO two_view_geometries VALUES(" + std::to_string(pair_id) + ", " + std::to_string(inliers) +
        ", 2, x'', " + std::to_string(config) + ")");
  }
  int64_t number(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
    const int64_t value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return value;
  }

 private:
  static std::string hex(const std::vector<uint8_t>& bytes) {
    static const char* kDigits = "0123456789abcdef";
    std::string text;
    for (const uint8_t byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
    return text;
  }
  bool four_;
  sqlite3* handle_ = nullptr;
};

}  // namespace align::test
