import { isLevelField } from '../../../render/tone.js'
import type { TableField } from '../../../wire/http/tabular-result.js'
import { aplField, aplString, containing } from './apl-text.js'
import { type HeldRows, heldColumns, isNumeric } from './row.js'

const WORDS = {
  error: [
    ...['fatal', 'panic', 'emerg', 'emergency', 'alert', 'crit', 'critical'],
    ...['err', 'error', 'severe'],
  ],
  warning: ['warn', 'warning'],
} as const

/** Levels as numbers, of syslog and of pino. */
const NUMBERS = { error: [0, 1, 2, 3, 50, 60], warning: [4, 40] } as const

/** Names of fields with the status of a response over HTTP. */
export const STATUS_FIELDS: readonly string[] = [
  ...['status', 'statusCode', 'status_code', 'res.statusCode', 'http.status_code'],
  ...['http.response.status_code', 'sc-status'],
]
/** Words in texts that indicate a level. */
const TELLING = {
  error: ['error', 'fail', 'fatal', 'panic', 'exception', 'out of memory'],
  warning: ['warn'],
} as const
const HTTP_CONDITIONS = { error: '>= 500', warning: 'between (400 .. 499)' } as const

/** Returns the fields that identify errors and warnings: the level, and for events without a level the HTTP status. */
export function levelFields(rows: HeldRows): readonly TableField[] {
  const columns = heldColumns(rows)
  return [columns.find(({ name }) => isLevelField(name)), columns.find(isStatus)].flatMap(
    (column) => column ?? [],
  )
}

function isStatus(column: TableField): boolean {
  return STATUS_FIELDS.includes(column.name) && isNumeric(column)
}

/** Returns the condition that an event has a level; undefined without fields that identify it. */
export function levelCondition(
  level: keyof typeof WORDS,
  [first, second]: readonly TableField[],
): string | undefined {
  if (first === undefined) return undefined
  const condition = fieldCondition(level, first)
  if (second === undefined) return condition
  return `${condition} or (isnull(${aplField(first.name)}) and ${fieldCondition(level, second)})`
}

function fieldCondition(level: keyof typeof WORDS, field: TableField): string {
  const name = aplField(field.name)
  if (!isLevelField(field.name)) return `${name} ${HTTP_CONDITIONS[level]}`
  return isNumeric(field)
    ? `${name} in (${NUMBERS[level].join(', ')})`
    : `${name} in~ (${WORDS[level].map(aplString).join(', ')})`
}

/** Returns an operator that keeps the events of a level. Without fields that identify it, words in any field indicate the level. */
export function levelOperator(level: keyof typeof WORDS, rows: HeldRows): string {
  const condition = levelCondition(level, levelFields(rows))
  const words = TELLING[level].map((text) => containing({ text, isRegex: false }))
  return `where ${condition ?? words.join(' or ')}`
}
