import { ownValue } from '../../../../text/own-value.js'
/** The result of entering a line: the lines of a query so far, a complete query or a command of the prompt. */
export type PromptInput =
  | { readonly kind: 'more'; readonly draft: readonly string[] }
  | { readonly kind: 'query'; readonly apl: string }
  | { readonly kind: 'command'; readonly name: string; readonly argument: string }

/** Words that are commands on a line of their own, even without `\`. */
const WORDS: Readonly<Record<string, string>> = { exit: 'q', quit: 'q', help: 'h' }

/** Adds a line. A query ends with `;` or an empty line; a line that begins with `\` is a command of the prompt. */
export function readLine(lines: readonly string[], line: string): PromptInput {
  const [, name, argument = ''] = /^\s*\\(\S*)\s*(.*)$/.exec(line) ?? []
  const word = lines.length === 0 ? commandWord(line) : undefined
  if (word !== undefined) return { kind: 'command', name: word, argument: '' }
  if (name !== undefined) {
    return { kind: 'command', name, argument: withoutSemicolon(argument) }
  }
  const all = [...lines, line]
  if (line.trim() === '') {
    const apl = lines.join('\n')
    return apl.trim() === '' ? { kind: 'more', draft: [] } : { kind: 'query', apl }
  }
  if (!endsQuery(all)) return { kind: 'more', draft: all }
  return { kind: 'query', apl: all.join('\n').replace(/;\s*$/, '') }
}

function commandWord(line: string): string | undefined {
  return ownValue(WORDS, line.replace(/;\s*$/, '').trim())
}

/** True for a line such as `exit`, which leaves the prompt unless it continues a query. */
export function isExit(line: string): boolean {
  return commandWord(line) === 'q'
}

/** An expression for the spaces before the semicolon would take quadratic time on a line with many spaces. */
function withoutSemicolon(text: string): string {
  const trimmed = text.trim()
  return trimmed.endsWith(';') ? trimmed.slice(0, -1).trimEnd() : trimmed
}

/** True when the lines end a query, and not only a statement such as `let`. */
function endsQuery(lines: readonly string[]): boolean {
  if (!lines.at(-1)?.trimEnd().endsWith(';')) return false
  const text = lines.join('\n').trimEnd()
  const last = text.slice(0, -1).split(';').at(-1) ?? ''
  const written = last.replace(/^\s*\/\/.*$/gm, '').trim()
  return !/^(?:let|declare|set)\b/.test(written) && written !== ''
}

/** Splits the text of a file into queries and commands. Empty lines are ignored; the end of the text ends a query. */
export function readText(text: string): readonly Exclude<PromptInput, { kind: 'more' }>[] {
  const found: Exclude<PromptInput, { kind: 'more' }>[] = []
  let draft: readonly string[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const input = readLine(draft, line)
    if (input.kind === 'more') draft = input.draft
    else {
      if (input.kind === 'query') draft = []
      found.push(input)
    }
  }
  const rest = readLine(draft, '')
  return rest.kind === 'query' ? [...found, rest] : found
}
