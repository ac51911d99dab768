// The scripts know nothing of the commands: they ask the program itself for each word.

/** The shells that evq completes in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Stands among the words where files may stand: the shell knows best how to complete those. */
export const FILES = ':files'

const ASK = 'completion words --'

const BASH = `# Bash completion of evq. For this shell: source <(evq completion bash)
_evq() {
  local IFS=$'\\n' line cur="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  [[ $cur == = ]] && cur=
  for line in $("\${COMP_WORDS[0]}" ${ASK} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
    if [[ $line == ${FILES} ]]; then
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -f -- "$cur"))
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done
}
complete -F _evq evq
`

const ZSH = `#compdef evq
# Zsh completion of evq. For this shell: source <(evq completion zsh)
_evq() {
  local -a lines found
  local line
  lines=("\${(@f)$("\${words[1]}" ${ASK} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "\${lines[@]}"; do
    if [[ $line == ${FILES} ]]; then
      _files
    elif [[ -n $line ]]; then
      found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( \${#found} )) && _describe -V evq found
}
if [[ \${funcstack[1]} == _evq ]]; then _evq "$@"; else compdef _evq evq; fi
`

const FISH = `# Fish completion of evq. To keep it: evq completion fish > ~/.config/fish/completions/evq.fish
function __evq_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    test -z "$current"; and set current ''
    for line in (command $before[1] ${ASK} $before[2..-1] $current 2>/dev/null)
        if test "$line" = ${FILES}
            __fish_complete_path $current
        else
            echo $line
        end
    end
end
complete -c evq -f -a '(__evq_complete)'
`

/** What a shell reads to complete the words after \`evq\`. */
export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }
