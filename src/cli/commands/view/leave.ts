// Composes the command that prints the rows on the screen.
import { CONTROLS } from '../../../render/escape-controls.js'
import { unicodeEscape } from '../../../text/control-escapes.js'
import { DEFAULT_ROWS } from '../../../wire/limits.js'
import type { Flags } from '../../context.js'
import { connectionSettings, settingFlag } from '../../settings/connection-settings.js'
import type { ViewTarget } from './target.js'

const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/

/** The characters that a terminal does not show as they are. */
const CONTROL = new RegExp(`[${CONTROLS}]`, 'g')

/** Quotes a word for a shell, with double quotes if they need no escapes: queries contain single quotes. */
function shellWord(word: string): string {
  if (PLAIN_WORD.test(word)) return word
  if (word.search(CONTROL) !== -1)
    return `$'${word.replace(/[\\']/g, '\\$&').replace(CONTROL, unicodeEscape)}'`
  // In double quotes, an interactive shell replaces `!word` by a command of its history.
  const isPlain = !/[$`\\"]/.test(word) && !/!(?![\s=(]|$)/.test(word)
  return isPlain ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}

interface LeavingQuery {
  readonly apl: string
  readonly target: ViewTarget
  /** The number of events around each match. */
  readonly context?: number | undefined
  /** The number of rows, as far as it is known. */
  readonly rows: number
  readonly flags: Flags
}

export function queryCommandLine({ apl, target, context, rows, flags }: LeavingQuery): string {
  const limit = rows > DEFAULT_ROWS ? ['-n', String(rows)] : []
  const inputs =
    target.kind === 'files'
      ? target.patterns.filter((file) => file !== '-').flatMap((file) => ['-i', file])
      : []
  // On a terminal, a query of a dataset without a range reads the last hour only. An end would leave out events in the future.
  const range =
    target.kind === 'dataset' && target.range.length === 0
      ? ['--since', '1970-01-01']
      : target.range
  const words = [
    ...['evq', 'query', ...sharedFlags(flags), ...inputs, ...target.readingFlags],
    ...range,
    ...target.params,
    ...(context ? ['-C', String(context)] : []),
    ...limit,
  ]
  return [...words.map(shellWord), quotedApl(apl)].join(' ')
}

/** Quotes a query, even if it is a single word. */
function quotedApl(apl: string): string {
  const word = shellWord(apl)
  return word === apl ? `"${apl}"` : word
}

function sharedFlags(flags: Flags): readonly string[] {
  const given = [
    ...connectionSettings.map(([name]) => [settingFlag(name), flags[name]] as const),
    ['--profile', flags.profile] as const,
    ['--data-dir', flags.dataDir] as const,
  ]
  return given.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]))
}
