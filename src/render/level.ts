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

/** As numbers: 0 to 7 those of syslog, 10 to 60 those that pino writes. */
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

/** Whether a field tells how bad something is. */
export function isLevelField(name: string): boolean {
  return LEVEL_FIELD.test(name)
}

/** How a level looks. */
export function levelTone(text: string): Tone | undefined {
  return TONES.find(([words]) => words.test(text))?.[1]
}

/** How the level in a field looks that is known to hold levels, where they may be numbers too. */
export function levelCellTone(text: string): Tone | undefined {
  return levelTone(text) ?? TONE_OF_NUMBER[text]
}
