import { byWord } from '../../text/by-word.js'
/** A key, or text that was pasted. */
export type KeyPress =
  /** The character of a key that has one; otherwise its name, such as `Enter`, `Up` or `Ctrl-D`. */
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'paste'; readonly text: string }

const NAMES: Readonly<Record<string, string>> = {
  '\r': 'Enter',
  '\n': 'Enter',
  '\t': 'Tab',
  '\x7f': 'Backspace',
  '\b': 'Backspace',
  '\x1b': 'Escape',
  '\0': 'Ctrl-Space',
}

/** The names of keys by the characters after `ESC [` or `ESC O`. */
const SEQUENCES = byWord({
  A: 'Up',
  B: 'Down',
  C: 'Right',
  D: 'Left',
  'H 1~ 7~': 'Home',
  'F 4~ 8~': 'End',
  M: 'Enter',
  'P 11~': 'F1',
  Z: 'Shift-Tab',
  '2~': 'Insert',
  '3~': 'Delete',
  '5~': 'PageUp',
  '6~': 'PageDown',
})

const PASTE_START = '\x1b[200~'
const PASTE_END = '\x1b[201~'

/** The parts of a terminal's input. Each is tried before the ones below it. */
const PART = new RegExp(
  [
    String.raw`\x1b\[200~(?<pasted>.*?)\x1b\[201~`,
    // Responses of the terminal, which are ignored.
    String.raw`\x1b[P\]X^_](?:[^\x07\x1b]|\x1b(?!\\))*(?:\x07|\x1b\\)`,
    String.raw`(?<incomplete>\x1b(?:\[200~.*|\[[\d;:?<>=]*[ -/]*|O|[P\]X^_].*|))$`,
    String.raw`\x1b(?:\[(?<parameters>[\d;:?<>=]*)(?<final>[ -/]*[@-~])|O(?<short>[@-~]))`,
    // Alt and a key is Escape and the key: the two can't be distinguished from two keys in quick succession.
    '(?<character>.)',
  ].join('|'),
  'gsuy',
)

/** Decodes the input of a terminal. A sequence may arrive in pieces. */
export function keyReader() {
  let rest = ''
  return {
    /** True while the end of a sequence is missing. If the end does not arrive soon, the user has pressed Escape. */
    isWaiting: () => rest !== '',
    read(text: string): readonly KeyPress[] {
      const found: KeyPress[] = []
      const input = rest + text
      const isPasting =
        rest.startsWith(PASTE_START) && !input.includes(PASTE_END, rest.length - PASTE_END.length)
      // A long paste arrives in many pieces: matching it again for each piece would take quadratic time.
      rest = isPasting ? input : ''
      if (isPasting) return found
      for (const { groups = {} } of input.matchAll(PART)) {
        const { pasted, incomplete, parameters = '', final, short = '', character } = groups
        if (incomplete !== undefined) rest = incomplete
        if (pasted !== undefined) found.push({ kind: 'paste', text: pasted })
        const name = character ? nameOf(character) : sequenceName(parameters, final ?? short)
        if (name !== undefined) found.push({ kind: 'key', name })
      }
      return found
    },
    /** Returns the keys in an incomplete sequence whose end does not arrive. */
    settle(): readonly KeyPress[] {
      const left = rest
      rest = ''
      if (left === '\x1b') return [{ kind: 'key', name: 'Escape' }]
      if (!left.startsWith(PASTE_START)) return []
      return [{ kind: 'paste', text: left.slice(PASTE_START.length) }]
    },
  }
}

function nameOf(character: string): string {
  const name = NAMES[character]
  if (name !== undefined) return name
  if (character >= ' ') return character
  return `Ctrl-${String.fromCharCode(character.charCodeAt(0) + 0x40)}`
}

/** Returns the name of a key by its sequence; undefined for a sequence that is not a key. */
function sequenceName(parameters: string, final: string): string | undefined {
  const [first = '', modifiers = ''] = parameters.split(';')
  const name = SEQUENCES[final === '~' ? `${first}~` : final]
  return name !== undefined && modifiers === '5' ? `Ctrl-${name}` : name
}
