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

/**
 * The longest times for a row, one after the other. The engine searches in linear time, but V8 may try each way to match `(a+)+$`. A
 * row may also take long because other programs keep the processor busy.
 */
const MOST_MS = [50, 150, 500]
const MOST_ROWS = 1_000

const context = createContext({ text: '', pattern: /$^/ })
const FIND = new Script(
  'Array.from(text.matchAll(pattern), (found) => [found.index, found.index + found[0].length])',
)

/** The matches in the rows that were drawn last, by the text of the row. `pattern` is undefined after a row took too long. */
let last: {
  readonly regex: string
  readonly pattern: RegExp | undefined
  readonly rows: Map<string, readonly Part[]>
} = { regex: '', pattern: undefined, rows: new Map() }

function matchesIn(shown: string, regex: string): readonly Part[] {
  if (regex !== last.regex) last = { regex, pattern: patternOf(regex), rows: new Map() }
  const { pattern, rows } = last
  if (pattern === undefined) return []
  const known = rows.get(shown)
  if (known !== undefined) return known
  if (rows.size >= MOST_ROWS) rows.clear()
  Object.assign(context, { text: shown, pattern })
  for (const timeout of MOST_MS) {
    try {
      const parts = FIND.runInContext(context, { timeout }) as readonly Part[]
      rows.set(shown, parts)
      return parts
    } catch {}
  }
  last = { ...last, pattern: undefined }
  return []
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
