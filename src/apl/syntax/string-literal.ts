import { CONTROL_ESCAPES } from '../../text/control-escapes.js'

const ESCAPES: Readonly<Record<string, string>> = {
  ...CONTROL_ESCAPES,
  '0': '\0',
  '\\': '\\',
  '/': '/',
  '"': '"',
  "'": "'",
}

/** The value of a string, or the position and length of an unknown escape sequence. */
type EscapeResult = { readonly value: string } | { readonly bad: number; readonly length: number }

/** Decodes the backslash escapes in the text between quotes. */
export function readEscapes(body: string): EscapeResult {
  let value = ''
  let from = 0
  for (let at = body.indexOf('\\'); at !== -1; at = body.indexOf('\\', from)) {
    value += body.slice(from, at)
    const code = /^\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(body.slice(at, at + 6))
    const simple = ESCAPES[body[at + 1] ?? '']
    if (code !== null) value += String.fromCharCode(parseInt((code[1] ?? code[2])!, 16))
    else if (simple !== undefined) value += simple
    else return { bad: at, length: Math.min(2, body.length - at) }
    from = at + (code === null ? 2 : code[0].length)
  }
  return { value: value + body.slice(from) }
}

/** A token, or a node of a tree; literals and constants have a type and a value. */
interface Node {
  readonly kind: string
  readonly type?: unknown
  readonly value?: unknown
}

/** Returns the text of a literal or a constant that is a string; undefined for anything else. */
export function textOf(node: Node | undefined): string | undefined {
  const isText = node?.type === 'string' && (node.kind === 'literal' || node.kind === 'constant')
  return isText && typeof node.value === 'string' ? node.value : undefined
}

/** Formats a string for a query, in double quotes. */
export function quote(value: string): string {
  // All escapes of JSON are valid in APL; a lone surrogate becomes \uXXXX.
  return JSON.stringify(value)
}
