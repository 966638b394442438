/* What a program in C does with the library. */
#ifdef __cplusplus
extern "C" {
#endif
/* Draws one splat that was saved to, and read again from, `path`; null, or what went wrong. */
const char* draw_in_c(const char* path);
#ifdef __cplusplus
}
#endif
