/** The programs that complete themselves; `kubectl portway` is completed by kubectl, through kubectl_complete-portway. */
const programs = "kubectl-portway portway";

/**
 * What a shell loads. Each passes what is typed so far to `__complete`, and takes a value a line, with its help after a tab,
 * and at the end a number of bits: 2, no blank after it; 4, no file names.
 */
export const scripts = {
  bash: `# For bash: source <(kubectl portway completion bash)
_portway_complete() {
  local line=\${COMP_LINE:0:COMP_POINT} words=() offer bits=4 partial
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local program=\${words[0]/#\\~/$HOME}
  COMPREPLY=()
  while IFS= read -r offer; do
    case $offer in
      :*) bits=\${offer#:} ;;
      *) COMPREPLY+=("\${offer%%$'\\t'*}") ;;
    esac
  done < <("$program" __complete "\${words[@]:1}" 2>/dev/null)
  if ((bits & 2)); then compopt -o nospace 2>/dev/null; fi
  if ((!(bits & 4))); then
    compopt -o filenames 2>/dev/null
    partial=\${words[\${#words[@]} - 1]#--*=}
    while IFS= read -r offer; do COMPREPLY+=("$offer"); done < <(compgen -f -- "$partial")
  fi
}
complete -F _portway_complete ${programs}
`,
  zsh: `#compdef ${programs}
# For zsh: source <(kubectl portway completion zsh), or save it as _portway in a folder of $fpath.
_portway() {
  local -a offers how
  local offer value bits=4
  while IFS= read -r offer; do
    case $offer in
      :*) bits=\${offer#:} ;;
      *$'\\t'*)
        value=\${offer%%$'\\t'*}
        offers+=("\${value//:/\\\\:}:\${offer#*$'\\t'}")
        ;;
      *) offers+=("\${offer//:/\\\\:}") ;;
    esac
  done < <("\${(Q)words[1]}" __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  [[ $PREFIX == --*=* ]] && compset -P '*='
  ((bits & 2)) && how=(-S '')
  ((\${#offers})) && _describe -t portway portway offers "\${how[@]}"
  ((bits & 4)) || _files
}
if [[ \${funcstack[1]} == _portway ]]; then _portway "$@"; else compdef _portway ${programs}; fi
`,
  fish: `# For fish: kubectl portway completion fish | source
function __portway_complete
    set -l words (commandline -opc)
    set -l partial (commandline -ct)
    set -l prefix (string match -r -- '^--[^=]+=' "$partial")
    for offer in ($words[1] __complete $words[2..-1] "$partial" 2>/dev/null)
        switch $offer
            case ':0' ':2'
                __fish_complete_path (string replace -- "$prefix" '' "$partial")
            case ':*'
            case '*'
                echo "$prefix$offer"
        end
    end
end
for program in ${programs}
    complete -c $program -f -a '(__portway_complete)'
end
`,
} as const;
