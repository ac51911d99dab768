/** The lines of a query entered so far. */
export interface QueryBuffer {
  readonly lines: readonly string[]
}

/** No lines. */
export const EMPTY_BUFFER: QueryBuffer = { lines: [] }

/** The result of entering a line: more input, a complete query or a command of the prompt. */
export type PromptInput =
  | { readonly kind: 'more'; readonly draft: QueryBuffer }
  | { readonly kind: 'query'; readonly apl: string }
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }

/** Adds a line. A query ends with `;` or an empty line; a line that begins with `\` is a command of the prompt. */
export function readLine({ lines }: QueryBuffer, line: string): PromptInput {
  const [, name, argument = ''] = /^\s*\\(\S*)\s*(.*)$/.exec(line) ?? []
  if (lines.length === 0 && /^\s*(?:exit|quit)\s*;?\s*$/.test(line)) {
    return { kind: 'command', name: 'q', argument: '' }
  }
  if (name !== undefined) return { kind: 'command', name, argument: argument.trim() }
  const all = [...lines, line]
  if (line.trim() === '') {
    const apl = lines.join('\n')
    return apl.trim() === '' ? { kind: 'more', draft: EMPTY_BUFFER } : { kind: 'query', apl }
  }
  if (!endsQuery(all)) return { kind: 'more', draft: { lines: all } }
  return { kind: 'query', apl: all.join('\n').replace(/;\s*$/, '') }
}

/** The beginning of a query or a statement. */
const BEGINNING =
  /^\s*(?:\[\s*(?:'[^']*'|"[^"]*")\s*\]|[A-Za-z_][\w.-]*\s*\||(?:datatable|declare|let|print|range|search|set|union)\b)/

/** The end of a line that continues on the next one. */
const CONTINUED =
  /(?:[|,;([=<>+*/%-]|\b(?:and|between|by|in|join|kind|lookup|on|or|union|where))\s*$/

/** Returns the number, from 1, of the first line that looks like the beginning of another query. */
export function unterminatedLine(apl: string): number | undefined {
  const lines = apl.split('\n')
  const at = lines.findIndex(
    (line, index) => index > 0 && BEGINNING.test(line) && !CONTINUED.test(lines[index - 1] ?? ''),
  )
  return at === -1 ? undefined : at + 1
}

/** True when the lines end a query, and not only a statement such as `let`. */
function endsQuery(lines: readonly string[]): boolean {
  const text = lines.join('\n').trimEnd()
  if (!text.endsWith(';')) return false
  const last = text.slice(0, -1).split(';').at(-1) ?? ''
  const written = last.replace(/^\s*\/\/.*$/gm, '').trim()
  return !/^(?:let|declare|set)\b/.test(written) && written !== ''
}
