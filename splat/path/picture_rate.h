// Pictures a second as video counts them: 29.97 and its kin stand for 30000/1001 and the like (NTSC).
#pragma once

#include <string>

namespace splat {

double picture_rate(double per_second);      // 30000/1001. for 29.97; 24000/1001. for 23.976 and 23.98; 25 for 25
std::string rate_text(double picture_rate);  // "30000/1001", "25", "12.5"

}  // namespace splat
