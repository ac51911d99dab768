import { isLevelField } from '../../../render/tone.js'
import { aplField, aplString, containing } from './apl-text.js'
import { type HeldRows, heldColumns, type ViewColumn } from './row.js'

const WORDS = {
  error: [
    'fatal',
    'panic',
    'emerg',
    'emergency',
    'alert',
    'crit',
    'critical',
    'err',
    'error',
    'severe',
  ],
  warning: ['warn', 'warning'],
} as const

/** Levels as numbers: those of syslog, and those of pino. */
const NUMBERS = { error: [0, 1, 2, 3, 50, 60], warning: [4, 40] } as const

/** Returns the field of the levels of events. */
export function levelField(rows: HeldRows): ViewColumn | undefined {
  return heldColumns(rows).find(({ name }) => isLevelField(name))
}

/** Returns the condition that an event has a level. */
export function levelCondition(level: keyof typeof WORDS, { name, type }: ViewColumn): string {
  return /integer|float/.test(type)
    ? `${aplField(name)} in (${NUMBERS[level].join(', ')})`
    : `${aplField(name)} in~ (${WORDS[level].map(aplString).join(', ')})`
}

/** Returns an operator that keeps the events of a level; those with its name in any field when they have no levels. */
export function levelOperator(level: keyof typeof WORDS, rows: HeldRows): string {
  const field = levelField(rows)
  if (field === undefined) return containing(level === 'warning' ? 'warn' : level)
  return `where ${levelCondition(level, field)}`
}
