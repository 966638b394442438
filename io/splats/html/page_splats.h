// How a page holds its splats: the values of an SPZ 3 file, arranged so that gzip finds more in them, and written with
// seven bits a character. Lossless but for the order of the splats. web/worker.js reads it back.
//   planes: SPZ's header, its reserved byte 1; the splats along a Morton curve (splat/model/morton.h); of every stream
//     first all first bytes, then all second ones ... Positions: per axis the difference to the splat before, modulo
//     2^24, zigzag. Colours: red and blue less green, modulo 256.
//   text: bits of the bytes, the highest first, in groups of seven, a character each (UTF-8). Of NUL, LF, CR and "<",
//     which a page cannot hold as they are: one character of 256 * (2 + index) / 2 + the next group for both.
// Size: of 130 000 trained splats the planes have 79 % of the SPZ's bytes, and text 8/7 of its bytes; base64 has 4/3.
// Memory: twice the unpacked SPZ.
#pragma once

#include <string>
#include <string_view>

#include "splat/core/parallel.h"

namespace io {

std::string planes_of(std::string_view spz,
                      splat::ThreadPool& pool);  // both packed by gzip; `spz` as pack_spz() writes

std::string seven_bit_text(std::string_view bytes);

}  // namespace io
