# Completion of the command gateway in bash, from version 3.2. It needs no package, and may be sourced again.
_gateway() {
  local line="${COMP_LINE:0:COMP_POINT}" words=() word before quoted value rest directive=0
  # bash has split the words at "=", ":" and "@", too.
  IFS=$' \t' read -a words <<<"$line"
  [[ $line == *[!\\][[:blank:]] ]] && words+=('')
  word="${words[${#words[@]} - 1]}"
  COMPREPLY=()
  # Within quotes, the names could not be quoted.
  [[ $word == [\"\']* ]] && return
  before="${word%"${word##*[=:@]}"}"
  [[ -n $before ]] && printf -v quoted %q "$before"
  while IFS=$'\t' read -r value rest; do
    if [[ $value == :[0-9] ]]; then
      directive="${value#:}"
    else
      # Names come from others.
      printf -v value %q "$value"
      COMPREPLY+=("${value#"$quoted"}")
    fi
  done < <(gateway complete -- "${words[@]:1}" 2>/dev/null)
  ((directive & 2)) && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _gateway gateway
