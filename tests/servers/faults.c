// Preloaded into a PostgreSQL server, this library makes faults that a test asks for by a file in
// the directory $WEFT_FAULTS:
//
//   full        files of tables and indexes do not grow: the disk is full
//   yesterday   the wall clock is a day behind
//
//   cc -shared -fPIC -O1 -o faults.so faults.c
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int is_asked_for(const char* fault) {
  const char* directory = getenv("WEFT_FAULTS");
  char path[256];
  const int kept = errno;
  if (!directory) return 0;
  snprintf(path, sizeof path, "%s/%s", directory, fault);
  const int is_there = access(path, F_OK) == 0;
  errno = kept;
  return is_there;
}

// Whether writing up to `end` makes a file of a table longer while there is no room.
static int has_no_room(int fd, off_t end) {
  char link[64], path[512];
  struct stat status;
  if (!is_asked_for("full") || fstat(fd, &status) != 0 || end <= status.st_size) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "/data/base/") != NULL;
}

ssize_t pwrite(int fd, const void* bytes, size_t count, off_t at) {
  if (has_no_room(fd, at + (off_t)count)) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_pwrite64, fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void* bytes, size_t count, off_t at) {
  return pwrite(fd, bytes, count, at);
}

static const long kDay = 24L * 60 * 60;

int clock_gettime(clockid_t clock, struct timespec* out) {
  const int result = (int)syscall(SYS_clock_gettime, clock, out);
  if (result == 0 && clock == CLOCK_REALTIME && is_asked_for("yesterday")) out->tv_sec -= kDay;
  return result;
}
int gettimeofday(struct timeval* restrict out, void* restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
