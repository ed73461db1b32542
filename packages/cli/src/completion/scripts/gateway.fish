# Completion of the command gateway in fish. It may be sourced again.
function __gateway_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct | string unescape)
    gateway complete -- $words[2..-1] "$current" 2>/dev/null | string match -v -r '^:\d$'
end
complete -c gateway -e
complete -c gateway -f -a '(__gateway_complete)'
