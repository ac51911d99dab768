import { Option } from 'commander'
import { CommandError } from '../../../error/command-error.js'
import { UsageError } from '../../../error/usage-error.js'
import { EXIT } from '../../../exit-code.js'
import { counted } from '../../../option/quantity.js'
import { type Account, eventsIn, type Outcome } from '../report/account.js'

/** How many events may be rejected: so many, or so many of a hundred. */
export interface MostErrors {
  readonly amount: number
  readonly unit: 'events' | 'percent'
}

/** A share of fewer events than this says little before the end. */
const SHARE_COUNTS_FROM = 100

/** `--max-errors 10`, `--max-errors 0.5%` */
export function maxErrorsOption(description: string): Option {
  return new Option('--max-errors <count>', description).argParser((text: string): MostErrors => {
    const [, amount, percent] = /^(\d[\d_]*(?:\.\d+)?)(%?)$/.exec(text) ?? []
    const value = Number(amount?.replaceAll('_', ''))
    if (percent === '%' && value <= 100) return { amount: value, unit: 'percent' }
    if (percent === '' && Number.isSafeInteger(value)) return { amount: value, unit: 'events' }
    throw new UsageError(
      `\`--max-errors\` takes a count such as \`10\` or a share such as \`1%\`, not \`${text}\`.`,
    )
  })
}

/** The account that ends the run when more events are rejected than may be. */
export class ErrorLimit implements Account {
  private readonly most: MostErrors
  private readonly stop: (error: Error) => void
  private rejected = 0
  private events = 0

  constructor(most: MostErrors, stop: (error: Error) => void) {
    this.most = most
    this.stop = stop
  }

  async settled({ accepted, rejected }: Outcome): Promise<void> {
    const refused = eventsIn(rejected)
    this.rejected += refused
    this.events += accepted + refused
    this.judge({ isEnd: false })
  }

  async unsendable(): Promise<void> {
    this.rejected += 1
    this.events += 1
    this.judge({ isEnd: false })
  }

  async close(): Promise<void> {
    this.judge({ isEnd: true })
  }

  private judge({ isEnd }: { readonly isEnd: boolean }): void {
    const { rejected, events } = this
    const { amount, unit } = this.most
    const isShare = unit === 'percent'
    if (isShare && events < SHARE_COUNTS_FROM && !isEnd) return
    if (isShare ? rejected * 100 <= amount * events : rejected <= amount) return
    const found = isShare
      ? `${counted(rejected, 'event')} of ${events.toLocaleString('en-US')}`
      : counted(rejected, 'event')
    const limit = `${amount}${isShare ? '%' : ''}`
    const message = `${found} rejected, more than \`--max-errors ${limit}\` allows.`
    this.stop(new CommandError(message, EXIT.tooManyErrors))
  }
}
