import { COLON, SPACE, TAB } from '../../../text/bytes.js'
import { type ConversionState, timesStateOf } from '../conversion-state.js'
import { findLayout, type TimeReading } from '../time/line-layout.js'
import { LineTimes } from '../time/line-times.js'

/** The layouts: RFC 3339, `Oct 11 22:14:15`, and `Oct 11 22:14:15` with a year, as some devices write it; two of journalctl. */
const LAYOUTS: readonly string[] = [
  'start:iso',
  'start:unix',
  'start:month-name day',
  'start:month-name day year',
  'start:weekday iso',
]
/** The layout of Cisco's NX-OS, which RFC 3164 (5.4) does not accept at the beginning of a message. */
const YEAR_FIRST = 'start:year month-name day'
/** The minimum length of a time, as of `2026-01-01`. */
const SHORTEST = 10

/** Reads the times of syslog lines, each of which may have another layout. */
export class SyslogTimes {
  /** The position after the time that was read last. */
  end = 0
  private readonly layouts: readonly LineTimes[]
  private readonly yearFirst: readonly LineTimes[]
  /** The layouts that begin with the name of a month or of a day. */
  private readonly named: readonly LineTimes[]
  private readonly state: ConversionState

  constructor({ now, times, state }: TimeReading & { readonly state: ConversionState }) {
    this.state = state
    const [yearFirst, ...layouts] = [YEAR_FIRST, ...LAYOUTS].map(
      (id) => new LineTimes(findLayout(id)!, now, times, timesStateOf(state, id)),
    )
    this.yearFirst = [yearFirst!]
    this.layouts = layouts
    this.named = this.layouts.slice(2)
  }

  /** Returns the time at a position of a line in RFC 3339; undefined when there is none. */
  read(line: string, from: number): string | undefined {
    return this.readAs(isLetter(line.charCodeAt(from)) ? this.named : this.layouts, line, from)
  }

  /** Returns the time at a position of the message of a device, whose year may be first; undefined when there is none. */
  readOfDevice(line: string, from: number): string | undefined {
    return this.read(line, from) ?? this.readAs(this.yearFirst, line, from)
  }

  private readAs(layouts: readonly LineTimes[], line: string, from: number): string | undefined {
    if (line.length - from < SHORTEST) return undefined
    for (const times of layouts) {
      const time = times.read(line, from)
      if (time === undefined) continue
      if (!isAtEnd(line, times.end)) continue
      this.end = times.end
      if (this.state.firstTime === undefined) this.describe(line, from, times)
      return time
    }
    return undefined
  }

  private describe(line: string, from: number, times: LineTimes): void {
    const found = times.describe(line, from)
    if (found.kind === 'found' && !(found.hasYear && found.hasZone)) this.state.firstTime = found
  }
}

/** True when a space, a tab, a colon with a space, or the end of the line follows a time. */
function isAtEnd(line: string, end: number): boolean {
  const at = line.charCodeAt(end) === COLON ? end + 1 : end
  return at === line.length || line.charCodeAt(at) === SPACE || line.charCodeAt(at) === TAB
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}
