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
const SEQUENCES: Readonly<Record<string, string>> = {
  A: 'Up',
  B: 'Down',
  C: 'Right',
  D: 'Left',
  H: 'Home',
  F: 'End',
  M: 'Enter',
  Z: 'Shift-Tab',
  '1~': 'Home',
  '2~': 'Insert',
  '3~': 'Delete',
  '4~': 'End',
  '5~': 'PageUp',
  '6~': 'PageDown',
  '7~': 'Home',
  '8~': 'End',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send these.
const SEQUENCE = /^\x1b(?:\[([\d;:?<>=]*)([ -/]*[@-~])|O([@-~]))/
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals answer with these.
const ANSWER = /^\x1b[P\]X^_](?:[^\x07\x1b]|\x1b(?!\\))*(?:\x07|\x1b\\)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the beginnings of both.
const INCOMPLETE = /^\x1b(?:$|\[[\d;:?<>=]*[ -/]*$|O$|[P\]X^_])/
const PASTE_START = '\x1b[200~'
const PASTE_END = '\x1b[201~'

/** Decodes the input of a terminal. A sequence may arrive in pieces. Responses of the terminal are ignored. */
export function keyReader() {
  let rest = ''
  let pasted: string | undefined
  let found: KeyPress[] = []

  function take(): readonly KeyPress[] {
    const taken = found
    found = []
    return taken
  }

  /** Reads pasted text; returns false when its end is missing. */
  function readPaste(before: string): boolean {
    const end = rest.indexOf(PASTE_END)
    if (end === -1) {
      // The end sequence may be divided between two pieces.
      const kept = Math.max(0, rest.length - (PASTE_END.length - 1))
      pasted = before + rest.slice(0, kept)
      rest = rest.slice(kept)
      return false
    }
    found.push({ kind: 'paste', text: before + rest.slice(0, end) })
    pasted = undefined
    rest = rest.slice(end + PASTE_END.length)
    return true
  }

  /** Reads a key; returns false when its end is missing. */
  function readKey(): boolean {
    const skip = (text: string) => {
      rest = rest.slice(text.length)
    }
    if (rest.startsWith(PASTE_START)) {
      skip(PASTE_START)
      pasted = ''
      return true
    }
    if (!rest.startsWith('\x1b')) {
      const character = String.fromCodePoint(rest.codePointAt(0)!)
      skip(character)
      found.push({ kind: 'key', name: nameOf(character) })
      return true
    }
    const [answer] = ANSWER.exec(rest) ?? []
    const [whole, parameters = '', final = '', short = ''] = SEQUENCE.exec(rest) ?? []
    if (answer !== undefined) skip(answer)
    else if (whole !== undefined) {
      skip(whole)
      const name = sequenceName(parameters, final || short)
      if (name !== undefined) found.push({ kind: 'key', name })
    } else if (INCOMPLETE.test(rest)) return false
    else {
      // Alt and a key, which can't be distinguished from Escape and another key in quick succession.
      skip('\x1b')
      found.push({ kind: 'key', name: 'Escape' })
    }
    return true
  }

  return {
    /** True while the end of a sequence is missing. If the end does not arrive soon, the user has pressed Escape. */
    isWaiting: () => rest !== '' || pasted !== undefined,
    /** Returns the keys in a text. */
    read(text: string): readonly KeyPress[] {
      rest += text
      let isRead = true
      while (isRead && rest !== '') isRead = pasted === undefined ? readKey() : readPaste(pasted)
      return take()
    },
    /** Returns the keys in an incomplete sequence whose end does not arrive. */
    settle(): readonly KeyPress[] {
      if (pasted !== undefined) found.push({ kind: 'paste', text: pasted + rest })
      else if (rest === '\x1b') found.push({ kind: 'key', name: 'Escape' })
      pasted = undefined
      rest = ''
      return take()
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
