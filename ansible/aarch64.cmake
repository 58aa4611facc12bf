# For compiling on another processor, with Debian's g++-aarch64-linux-gnu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
# llama.cpp's helpers for its own programs and for pictures: more than half of the time, and nothing here loads them.
set(LLAMA_BUILD_COMMON OFF)
set(LLAVA_BUILD OFF)
