#include "weft/cli/complete/shell_script.hpp"

namespace weft::cli {
namespace {

// Each line that weft prints is a word, a tab and what it is. A line ":files" asks for files.
constexpr std::string_view kBash = R"sh(# bash completion for weft
_weft() {
  local line word
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default 2>/dev/null
      continue
    fi
    word=${line%%$'\t'*}
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <("${COMP_WORDS[0]}" completion --words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _weft weft
)sh";

constexpr std::string_view kZsh = R"sh(#compdef weft
_weft() {
  local -a words_found
  local line files=
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; continue; fi
    local word=${line%%$'\t'*} about=${line#*$'\t'}
    words_found+=("${word//:/\\:}:$about")
  done < <("${words[1]}" completion --words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( ${#words_found} )) && _describe weft words_found
  [[ -n $files ]] && _files
  return 0
}
if [[ ${funcstack[1]} == _weft ]]; then _weft "$@"; else compdef _weft weft; fi
)sh";

constexpr std::string_view kFish = R"sh(# fish completion for weft
function __weft_words
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] completion --words -- $words[2..-1] 2>/dev/null)
    if test "$line" = ":files"
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c weft -f -a '(__weft_words)'
)sh";

}  // namespace

std::optional<std::string_view> completion_script(std::string_view shell) {
  if (shell == "bash") return kBash;
  if (shell == "zsh") return kZsh;
  if (shell == "fish") return kFish;
  return std::nullopt;
}

}  // namespace weft::cli
