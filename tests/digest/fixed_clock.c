// Preloaded into weft, this library stops the wall clock at $WEFT_DIGEST_CLOCK_MS, in milliseconds
// since 1970. The monotonic clock still runs, so waiting and timeouts work as usual.
//
//   cc -shared -fPIC -O1 -o fixed_clock.so fixed_clock.c
//   WEFT_DIGEST_CLOCK_MS=1780000000000 LD_PRELOAD=./fixed_clock.so weft ingest talk.txt
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* out) {
  const char* text = getenv("WEFT_DIGEST_CLOCK_MS");
  if (clock != CLOCK_REALTIME || !text) return (int)syscall(SYS_clock_gettime, clock, out);
  const long long ms = atoll(text);
  out->tv_sec = ms / 1000;
  out->tv_nsec = ms % 1000 * 1000000;
  return 0;
}
