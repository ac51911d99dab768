// Marks what was searched on the screen, and finds it in rows that are held.
import { createContext, Script } from 'node:vm'
import { escapeControls } from '../../../render/escape-controls.js'
import type { Grid, Part } from '../../../render/screen/grid.js'
import { INVERSE } from '../../../render/screen/style.js'
import type { SearchText } from './apl-text.js'

/** Marks what was searched in a row of the screen. */
export function markSearch(grid: Grid, row: number, search: SearchText, from: number): void {
  const { text, isRegex } = search
  if (isRegex) grid.markParts(row, (shown) => matchesIn(shown, text), INVERSE, from)
  else grid.markText(row, escapeControls(text), INVERSE, from)
}

/** True when a text contains what was searched. */
export function isFound(text: string, search: SearchText): boolean {
  return search.isRegex
    ? matchesIn(text, search.text).length > 0
    : text.toLowerCase().includes(search.text.toLowerCase())
}

/** The longest time for a row. The engine searches in linear time, but V8 may try each way to match `(a+)+$`. */
const MOST_MS = 50
/** A row may also take long because other programs keep the processor busy. */
const MOST_TRIES = 3
const MOST_ROWS = 1_000

const context = createContext({ text: '', pattern: /$^/ })
const FIND = new Script(
  'Array.from(text.matchAll(pattern), (found) => [found.index, found.index + found[0].length])',
)

/** The matches in the rows that were drawn last, by the text of the row. `pattern` is undefined after `tries` ended because rows took too long. */
let last: {
  readonly regex: string
  readonly pattern: RegExp | undefined
  readonly tries: number
  readonly rows: Map<string, readonly Part[]>
} = { regex: '', pattern: undefined, tries: 0, rows: new Map() }

function matchesIn(shown: string, regex: string): readonly Part[] {
  if (regex !== last.regex) {
    last = { regex, pattern: patternOf(regex), tries: MOST_TRIES, rows: new Map() }
  }
  const { pattern, tries, rows } = last
  if (pattern === undefined) return []
  const known = rows.get(shown)
  if (known !== undefined) return known
  if (rows.size >= MOST_ROWS) rows.clear()
  try {
    Object.assign(context, { text: shown, pattern })
    const parts = FIND.runInContext(context, { timeout: MOST_MS }) as readonly Part[]
    rows.set(shown, parts)
    return parts
  } catch {
    last = { ...last, pattern: tries > 1 ? pattern : undefined, tries: tries - 1 }
    return matchesIn(shown, regex)
  }
}

/** Returns a regular expression of RE2 as one of JavaScript; undefined for one that only RE2 understands. */
function patternOf(regex: string): RegExp | undefined {
  const source = regex.replace(/^\(\?-?i\)/, '')
  const flags = regex.startsWith('(?-i)') ? 'gm' : 'gim'
  // JavaScript accepts needless escapes only without the flag `u`, and `\p{L}` only with it.
  for (const unicode of ['u', '']) {
    try {
      return new RegExp(source, flags + unicode)
    } catch {}
  }
  return undefined
}
