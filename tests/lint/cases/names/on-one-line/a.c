/* clang-format off */
INLINE enum class class_of(char c) { return CLASSES[c]; }
/* clang-format on */
