import type { TableField } from '../wire/http/tabular-result.js'
import type { JsonText } from '../wire/json/json-text.js'
import { cellText } from './cell.js'
import type { Tone } from './paint.js'

/** Returns the tone of the cells in a column: by level if the field holds levels, otherwise by type. */
export function tonesOf(
  { name, type, agg }: TableField,
  cells: readonly JsonText[],
): (row: number) => Tone | undefined {
  if (isLevelField(name)) {
    const known = new Map<JsonText, Tone | undefined>()
    return (row) => {
      const cell = cells[row]!
      if (!known.has(cell)) known.set(cell, levelCellTone(cellText(cell) ?? ''))
      return known.get(cell)
    }
  }
  if (agg?.name === 'difference') return (row) => toneOfDifference(cells[row]!)
  const tone = toneOfType(type)
  return () => tone
}

/** A difference of two results is green when it is positive, and red when it is negative. */
function toneOfDifference(cell: JsonText): Tone | undefined {
  if (cell.startsWith('-')) return 'error'
  return /[1-9]/.test(cell) ? 'notice' : undefined
}

function toneOfType(type: string): Tone | undefined {
  if (/^(?:integer|float|integer\|float|float\|integer|timespan)$/.test(type)) return 'number'
  if (type === 'datetime') return 'time'
  return type === 'boolean' ? 'truth' : undefined
}

/** Field names that programs use for the level. */
const LEVEL_FIELD = /(?:^|[._])(?:level|lvl|log_?level|severity|severity_?text|loglevel)$/i

/** The tones of levels by their names and numbers: 0 to 7 as in syslog, 10 to 60 as in pino. */
const TONES: readonly (readonly [words: RegExp, numbers: RegExp, tone: Tone])[] = [
  [/^(?:fatal|panic|emerg(?:ency)?|alert|crit(?:ical)?)$/i, /^(?:[012]|60)$/, 'fatal'],
  [/^(?:err(?:or)?|severe|fail(?:ed|ure)?)$/i, /^(?:3|50)$/, 'error'],
  [/^warn(?:ing)?$/i, /^(?:4|40)$/, 'warning'],
  [/^(?:notice|info(?:rmation(?:al)?)?|ok)$/i, /^(?:[56]|30)$/, 'notice'],
  [/^(?:debug|trace|verbose|fine[rs]?t?)$/i, /^(?:7|10|20)$/, 'faint'],
]

export function isLevelField(name: string): boolean {
  return LEVEL_FIELD.test(name)
}

export function levelTone(text: string): Tone | undefined {
  return TONES.find(([words]) => words.test(text))?.[2]
}

/** Returns the tone of a value in a level field, which may be a number. */
export function levelCellTone(text: string): Tone | undefined {
  return levelTone(text) ?? TONES.find(([, numbers]) => numbers.test(text))?.[2]
}
