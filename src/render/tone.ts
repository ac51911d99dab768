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
  switch (type) {
    case 'integer':
    case 'float':
    case 'integer|float':
    case 'float|integer':
    case 'timespan':
      return 'number'
    case 'datetime':
      return 'time'
    case 'boolean':
      return 'truth'
    default:
      return undefined
  }
}

/** Field names that programs use for the level. */
const LEVEL_FIELD = /(?:^|[._])(?:level|lvl|log_?level|severity|severity_?text|loglevel)$/i

const TONES: readonly (readonly [words: RegExp, tone: Tone])[] = [
  [/^(?:fatal|panic|emerg(?:ency)?|alert|crit(?:ical)?)$/i, 'fatal'],
  [/^(?:err(?:or)?|severe|fail(?:ed|ure)?)$/i, 'error'],
  [/^warn(?:ing)?$/i, 'warning'],
  [/^(?:notice|info(?:rmation(?:al)?)?|ok)$/i, 'notice'],
  [/^(?:debug|trace|verbose|fine[rs]?t?)$/i, 'faint'],
]

/** Numeric levels: 0 to 7 as in syslog, 10 to 60 as in pino. */
const TONE_OF_NUMBER: Readonly<Record<string, Tone>> = {
  '0': 'fatal',
  '1': 'fatal',
  '2': 'fatal',
  '3': 'error',
  '4': 'warning',
  '5': 'notice',
  '6': 'notice',
  '7': 'faint',
  '10': 'faint',
  '20': 'faint',
  '30': 'notice',
  '40': 'warning',
  '50': 'error',
  '60': 'fatal',
}

/** True for the name of a field that holds levels. */
export function isLevelField(name: string): boolean {
  return LEVEL_FIELD.test(name)
}

/** Returns the tone of a level; undefined for other text. */
export function levelTone(text: string): Tone | undefined {
  return TONES.find(([words]) => words.test(text))?.[1]
}

/** Returns the tone of a value in a level field, which may be a number. */
export function levelCellTone(text: string): Tone | undefined {
  return levelTone(text) ?? TONE_OF_NUMBER[text]
}
