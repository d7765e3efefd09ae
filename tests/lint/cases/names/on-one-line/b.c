enum class class_of(char c) { return CLASSES[c]; }
