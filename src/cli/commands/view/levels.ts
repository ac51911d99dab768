import { isLevelField } from '../../../render/tone.js'
import { aplField, aplString, containing } from './apl-text.js'
import type { Rows } from './state.js'

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

/** Returns an operator that keeps the events of a level; those with its name in any field when they have no levels. */
export function levelOperator(level: keyof typeof WORDS, { columns, items }: Rows): string {
  const field =
    columns.find(({ name }) => isLevelField(name)) ??
    [...(items[0]?.cells.keys() ?? [])]
      .map((name) => ({ name, type: 'string' }))
      .find(({ name }) => isLevelField(name))
  if (field === undefined) return containing(level === 'warning' ? 'warn' : level)
  const name = aplField(field.name)
  if (/integer|float/.test(field.type)) return `where ${name} in (${NUMBERS[level].join(', ')})`
  return `where ${name} in~ (${WORDS[level].map(aplString).join(', ')})`
}
