// The scripts do not contain the commands: they call the program for each word to complete.

export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/** The candidate that leaves the completion of file names to the shell. */
export const FILES = ':files'

/** Requests candidates for words without quotes, as fish and zsh pass them. */
export const WORDS = 'words'

/** Requests candidates for a line of bash. */
export const LINE = 'line'

const ASK = `completion ${WORDS} --`

const BASH = `# Bash completion of evq. For this shell: source <(evq completion bash)
_evq() {
  local IFS=$'\\n' found
  found=$("$1" completion ${LINE} -- "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  if [[ $found == ${FILES} ]]; then
    COMPREPLY=()
    compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$2"))
  else
    local glob=$-
    set -f
    COMPREPLY=($found)
    [[ $glob == *f* ]] || set +f
  fi
}
complete -F _evq evq
`

const ZSH = `#compdef evq
# Zsh completion of evq. For this shell: source <(evq completion zsh)
_evq() {
  local line word about current=$PREFIX
  local -a before plain told
  before=("\${(@Q)words[2,CURRENT-1]}")
  # Zsh itself filters everything except options, as the user configured.
  [[ $current == -* ]] || current=
  for line in "\${(@f)$(\${~words[1]} ${ASK} "\${before[@]}" "$current" 2>/dev/null)}"; do
    word=\${line%%$'\\t'*} about=\${line#*$'\\t'}
    if [[ $line == ${FILES} ]]; then
      compset -P '--[^=]##='
      _files
    elif [[ -z $about ]]; then
      plain+=("$word")
    elif [[ -n $line ]]; then
      told+=("\${\${word//\\\\/\\\\\\\\}//:/\\\\:}:$about")
    fi
  done
  (( \${#told} )) && _describe -V evq told
  (( \${#plain} )) && _wanted -V evq expl value compadd -a plain
}
if [[ \${funcstack[1]} == _evq ]]; then
  _evq "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }
  compdef _evq evq
fi
`

const FISH = `# Fish completion of evq. To keep it: evq completion fish > ~/.config/fish/completions/evq.fish
function __evq_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    # Fish itself filters everything except options.
    string match -q -- '-*' $current; or set current ''
    for line in (command $before[1] ${ASK} $before[2..-1] $current 2>/dev/null)
        if test "$line" = ${FILES}
            set -l option (string match -r -- '^--[^=]+=' $current; or echo)
            for file in (__fish_complete_path (string replace -- "$option" '' (commandline -ct)))
                echo $option$file
            end
        else
            echo $line
        end
    end
end
complete -c evq -f -k -a '(__evq_complete)'
`

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }
