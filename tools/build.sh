# Sourced by run, test and bench/run: sets `root`, and builds presets quietly.
# shellcheck shell=bash
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The sanitizers name functions with this.
ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer-19 || true)
export ASAN_SYMBOLIZER_PATH

say() { echo "weft: $*" >&2; }

# Copies stdin to log $1 and shows ninja's steps on stderr: one moving line on a
# terminal, else one line in all. Silent when there are none. Step 0 is ninja
# looking for new files, which it does every time.
show_progress() {
  local log=$1 what=$2 line started=
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    [[ $line =~ ^\[[1-9][0-9]*/[0-9]+\] ]] || continue
    if [[ -t 2 ]]; then
      printf '\r\033[K%s %.80s' "$what" "$line" >&2
    elif [[ -z $started ]]; then
      say "building $what ${line%%]*}]"
    fi
    started=yes
  done
  if [[ -t 2 && -n $started ]]; then printf '\r\033[K' >&2; fi
}

# build_preset PRESET [NINJA ARGS…]: configures if needed, builds, and keeps the
# log in build/PRESET.log. Shows the log if it fails. Nothing goes to stdout. Two
# at once in one build directory take turns.
build_preset() {
  mkdir -p "$root/build"
  (
    flock 9
    configure_and_build "$@" 9>&-
  ) 9>"$root/build/$1.lock"
}

configure_and_build() {
  local preset=$1 dir=$root/build/$1 log=$root/build/$1.log
  shift
  : >"$log"
  # ninja has CMake look for changed lists and new files itself; only a change
  # of the presets needs a new configuration from outside.
  if [[ ! -f $dir/build.ninja || $root/CMakePresets.json -nt $dir/build.ninja ]]; then
    say "configuring build/$preset"
    if ! (cd "$root" && cmake --fresh --preset "$preset") >>"$log" 2>&1 </dev/null; then
      cat "$log" >&2
      say "configuring build/$preset failed"
      return 1
    fi
    touch "$dir/build.ninja"
    : >"$log"
  fi
  if ! ninja -C "$dir" "$@" 2>&1 </dev/null | show_progress "$log" "build/$preset"; then
    grep -vE '^\[[0-9]+/[0-9]+\] |^ninja: Entering' "$log" >&2 || true
    say "building build/$preset failed; the whole log is build/$preset.log"
    return 1
  fi
}
