import type { Tone } from './paint.js'

/** The names under which programs tell how bad something is. */
const LEVEL_FIELD = /(?:^|[._])(?:level|lvl|log_?level|severity|severity_?text|loglevel)$/i

const TONES: readonly (readonly [words: RegExp, tone: Tone])[] = [
  [/^(?:fatal|panic|emerg(?:ency)?|alert|crit(?:ical)?)$/i, 'fatal'],
  [/^(?:err(?:or)?|severe|fail(?:ed|ure)?)$/i, 'error'],
  [/^warn(?:ing)?$/i, 'warning'],
  [/^(?:notice|info(?:rmation(?:al)?)?|ok)$/i, 'notice'],
  [/^(?:debug|trace|verbose|fine[rs]?t?)$/i, 'faint'],
]

/** Whether a field tells how bad something is. */
export function isLevelField(name: string): boolean {
  return LEVEL_FIELD.test(name)
}

/** How a level looks. */
export function levelTone(text: string): Tone | undefined {
  return TONES.find(([words]) => words.test(text))?.[1]
}
