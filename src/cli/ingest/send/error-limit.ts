import { Option } from 'commander'
import { counted, formatInteger } from '../../../text/integer.js'
import { CommandError } from '../../error/command-error.js'
import { UsageError } from '../../error/usage-error.js'
import { EXIT } from '../../exit-code.js'
import type { Reporter } from '../report/reporter.js'
import { countEvents } from './outcome.js'

/** The maximum number of rejected events: a count, or a percentage of all events. */
export interface MaxErrors {
  readonly amount: number
  readonly unit: 'events' | 'percent'
}

/** The number of events from which a percentage is checked before the end of the run. */
const MIN_EVENTS_FOR_PERCENT = 100

/** `--max-errors 10`, `--max-errors 0.5%` */
export function maxErrorsOption(): Option {
  const summary =
    'stop with exit code 5 when more events are rejected, e.g. 10 or 1% (default: unlimited)'
  return new Option('--max-errors <count>', summary).argParser((text: string): MaxErrors => {
    const [, amount, percent] = /^(\d[\d_]*(?:\.\d+)?)(%?)$/.exec(text) ?? []
    const value = Number(amount?.replaceAll('_', ''))
    if (percent === '%' && value <= 100) return { amount: value, unit: 'percent' }
    if (percent === '' && Number.isSafeInteger(value)) return { amount: value, unit: 'events' }
    throw new UsageError(
      `\`--max-errors\` takes a count such as \`10\` or a percentage such as \`1%\`, not \`${text}\`.`,
    )
  })
}

/** Returns a reporter that fails the run when more events are rejected than `--max-errors` allows. */
export function errorLimit(
  { amount, unit }: MaxErrors,
  stop: (error: Error) => void,
): Required<Pick<Reporter, 'settled' | 'unsendable' | 'close'>> {
  const isPercent = unit === 'percent'
  let rejected = 0
  let events = 0

  function check({ isEnd = false } = {}): void {
    if (isPercent && events < MIN_EVENTS_FOR_PERCENT && !isEnd) return
    if (isPercent ? rejected * 100 <= amount * events : rejected <= amount) return
    const found = isPercent
      ? `${counted(rejected, 'event')} of ${formatInteger(events)}`
      : counted(rejected, 'event')
    const limit = `${amount}${isPercent ? '%' : ''}`
    const message = `${found} rejected, more than \`--max-errors ${limit}\` allows.`
    stop(new CommandError(message, EXIT.tooManyErrors))
  }

  return {
    async settled(outcome) {
      const count = countEvents(outcome.rejected)
      rejected += count
      events += outcome.accepted + count
      check()
    },
    async unsendable() {
      rejected += 1
      events += 1
      check()
    },
    close: async () => check({ isEnd: true }),
  }
}
