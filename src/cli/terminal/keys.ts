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
export class KeyReader {
  private rest = ''
  private pasted: string | undefined

  /** True while the end of a sequence is missing. If the end does not arrive soon, the user has pressed Escape. */
  get isWaiting(): boolean {
    return this.rest !== '' || this.pasted !== undefined
  }

  /** Returns the keys in a text. */
  read(text: string): readonly KeyPress[] {
    this.rest += text
    const found: KeyPress[] = []
    while (this.rest !== '') {
      const count = found.length
      if (this.pasted !== undefined) {
        if (!this.readPaste(found)) break
        continue
      }
      if (!this.readKey(found) && found.length === count) break
    }
    return found
  }

  /** Returns the keys in an incomplete sequence whose end does not arrive. */
  settle(): readonly KeyPress[] {
    const found: KeyPress[] = []
    if (this.pasted !== undefined) {
      found.push({ kind: 'paste', text: this.pasted + this.rest })
      this.pasted = undefined
    } else if (this.rest === '\x1b') found.push({ kind: 'key', name: 'Escape' })
    this.rest = ''
    return found
  }

  /** Reads pasted text; returns false when its end is missing. */
  private readPaste(found: KeyPress[]): boolean {
    const end = this.rest.indexOf(PASTE_END)
    if (end === -1) {
      // The end sequence may be divided between two pieces.
      const kept = this.rest.length - (PASTE_END.length - 1)
      if (kept > 0) {
        this.pasted += this.rest.slice(0, kept)
        this.rest = this.rest.slice(kept)
      }
      return false
    }
    found.push({ kind: 'paste', text: this.pasted + this.rest.slice(0, end) })
    this.pasted = undefined
    this.rest = this.rest.slice(end + PASTE_END.length)
    return true
  }

  /** Reads a key; returns false when its end is missing. */
  private readKey(found: KeyPress[]): boolean {
    const { rest } = this
    if (rest.startsWith(PASTE_START)) {
      this.rest = rest.slice(PASTE_START.length)
      this.pasted = ''
      return true
    }
    if (!rest.startsWith('\x1b')) {
      const character = String.fromCodePoint(rest.codePointAt(0)!)
      this.rest = rest.slice(character.length)
      found.push({ kind: 'key', name: nameOf(character) })
      return true
    }
    const answer = ANSWER.exec(rest)
    if (answer !== null) {
      this.rest = rest.slice(answer[0].length)
      return true
    }
    const [whole, parameters = '', final = '', short = ''] = SEQUENCE.exec(rest) ?? []
    if (whole !== undefined) {
      this.rest = rest.slice(whole.length)
      const name = sequenceName(parameters, final || short)
      if (name !== undefined) found.push({ kind: 'key', name })
      return true
    }
    if (INCOMPLETE.test(rest)) return false
    // Alt and a key, which can't be distinguished from Escape and another key in quick succession.
    this.rest = rest.slice(1)
    found.push({ kind: 'key', name: 'Escape' })
    return true
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
