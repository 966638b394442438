// HEIC as iPhones write it since iOS 18, for libheif before 1.18: the gain map is the auxiliary picture of two items
// (the photo and its tone-mapped form), where that library takes one alone and refuses the file. ISO/IEC
// 14496-12, 8.11.12.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace io::codec {

// The same file with one reference for each auxiliary picture: that to the main picture, where there is one. Its meta
// box is written anew at the end, so that whatever says where data lie stays right. None: the file has no such
// references, or its boxes make no sense.
std::optional<std::string> with_single_auxiliary_references(std::string_view heif);

}  // namespace io::codec
