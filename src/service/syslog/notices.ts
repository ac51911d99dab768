import { counted } from '../../text/integer.js'

/** Incidents of a listener that must be reported to the operator, but may occur thousands of times a second. */
type Incident = 'dropped' | 'truncated' | 'refused' | 'framing' | 'failed' | 'lost'

const INTERVAL_MS = 60_000

const TEXTS: Readonly<Record<Incident, (count: number) => string>> = {
  dropped: (count) => `${counted(count, 'datagram')} dropped because the queue was full`,
  truncated: (count) => `${counted(count, 'message')} truncated`,
  refused: (count) => `${counted(count, 'connection')} refused because too many are open`,
  framing: (count) => `${counted(count, 'connection')} closed because of a malformed length`,
  failed: (count) => `${counted(count, 'attempt')} to store messages failed`,
  lost: (count) => `${counted(count, 'message')} lost, because they could not be stored`,
}

/** Logs incidents: the first one at once, further ones together once a minute. */
export class Notices {
  private readonly warn: (message: string) => void
  private readonly counts = new Map<Incident, number>()
  private detail = ''
  private timer: NodeJS.Timeout | undefined

  constructor(warn: (message: string) => void) {
    this.warn = warn
  }

  note(incident: Incident, { count = 1, detail = '' } = {}): void {
    this.counts.set(incident, (this.counts.get(incident) ?? 0) + count)
    if (detail !== '') this.detail = detail
    if (this.timer === undefined) this.log()
  }

  /** Logs the incidents that have not been logged yet. */
  close(): void {
    clearTimeout(this.timer)
    if (this.counts.size > 0) this.log()
    clearTimeout(this.timer)
  }

  private log(): void {
    this.timer = undefined
    if (this.counts.size === 0) return
    const facts = [...this.counts].map(([incident, count]) => TEXTS[incident](count))
    const { detail } = this
    this.counts.clear()
    this.detail = ''
    this.warn(`Syslog: ${facts.join(', ')}.${detail === '' ? '' : ` ${detail}`}`)
    this.timer = setTimeout(() => this.log(), INTERVAL_MS)
    this.timer.unref()
  }
}
