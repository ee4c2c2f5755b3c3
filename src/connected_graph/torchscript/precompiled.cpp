// Exists only so that CMake has a source to compile precompiled.h with.
