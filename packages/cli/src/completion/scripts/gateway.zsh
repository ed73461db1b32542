#compdef gateway
# Completion of the command gateway in zsh. It may be sourced again, before or after compinit.
_gateway() {
  local -a lines pairs
  local line value directive
  lines=("${(@f)$(gateway complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  directive="${lines[-1]#:}"
  lines[-1]=()
  for line in $lines; do
    value="${line%%$'\t'*}"
    value="${value//\\/\\\\}"
    pairs+=("${value//:/\\:}:${line#*$'\t'}")
  done
  if ((directive & 2)); then
    _describe -t values value pairs -S ''
  else
    _describe -t values value pairs
  fi
}
if [[ $funcstack[1] == _gateway ]]; then
  # The file is in $fpath.
  _gateway
else
  (($+functions[compdef])) || { autoload -Uz compinit && compinit }
  compdef _gateway gateway
fi
