import { timeZone } from '../../wire/time/time-zone.js'
import type { Framing } from '../framing.js'
import { ndjsonFraming } from '../ndjson.js'
import { clfReader } from './clf.js'
import { containerConversion } from './container/container-conversion.js'
import { CRI } from './container/cri.js'
import { DOCKER } from './container/docker.js'
import { newConversionState } from './conversion-state.js'
import type { Conversion, ConversionOrigin, LogFormat } from './log-format.js'
import { logfmtReader } from './logfmt.js'
import { MultilineScanner } from './multiline/multiline-scanner.js'
import { otlpConversion } from './otlp.js'
import { findFrame, findLine } from './records.js'
import { FrameScanner } from './syslog/frame-scanner.js'
import { syslogReader } from './syslog/syslog.js'
import { SyslogTimes } from './syslog/syslog-time.js'
import { eventStart, type TextOptions, textConversion } from './text.js'
import type { TextLayout } from './text-layout.js'
import type { TimeDefaults } from './time/line-layout.js'
import { w3cConversion } from './w3c.js'

export const CONTAINERS = { cri: CRI, docker: DOCKER } as const

type LogOptions = TextOptions & { readonly layout: TextLayout }

/** Returns the framing of a log. Lines of text have a layout. */
export function logFraming(
  format: LogFormat,
  { layout = {}, ...options }: TextOptions & { readonly layout?: TextLayout },
): Framing {
  const made = conversion(format, { layout, ...options })
  const { now, findsTime, timeFormat, multiline, times = {} } = options
  const { zone, year, head, lastWritten } = times
  const origin = { format, layout, now, findsTime, timeFormat, multiline, year, head }
  return framing({ ...made, origin: { ...origin, zone: zone?.name }, lastWritten })
}

/** Returns a conversion that continues where another one of the same origin has stopped. */
export function continuedConversion(
  { format, zone, year, head, ...origin }: ConversionOrigin,
  { state, lastWritten }: Pick<TextOptions, 'state'> & Pick<TimeDefaults, 'lastWritten'>,
): Conversion {
  const known = zone === undefined ? undefined : timeZone(zone)
  const times = {
    ...(lastWritten && { lastWritten }),
    ...(known && { zone: known }),
    ...(year !== undefined && { year }),
    ...(head && { head }),
  }
  return conversion(format, { ...origin, times, state })
}

/** All framings of an input share a conversion. */
function framing(conversion: Conversion): Framing {
  const lines = ndjsonFraming()
  return { ...lines, restart: () => framing(conversion), scanner: scanner(conversion), conversion }
}

function scanner({ format, start }: Conversion): Framing['scanner'] {
  if (start !== undefined) return new MultilineScanner(start)
  return format === 'syslog' ? new FrameScanner() : ndjsonFraming().scanner
}

/** A priority, with the length of a frame in front of it, or a time, each in any line of a mixed file. */
const SYSLOG_START = /(?:[1-9]\d{0,8} )?<\d{1,3}>|[A-Z][a-z]{2} [ \d]\d |\d{4}-\d\d-\d\d[T ]\d\d:/y

function syslogConversion({
  layout,
  state = newConversionState(),
  ...options
}: LogOptions): Conversion {
  const times = new SyslogTimes({ ...options, state })
  const { multiline = 'auto' } = options
  const start = layout.isLines ? eventStart(multiline, SYSLOG_START) : undefined
  return {
    format: 'syslog',
    state,
    ...(start === undefined ? { find: findFrame } : { start }),
    read: syslogReader(times, options),
    lineTime: () => times.lineTime,
  }
}

/** Returns the functions that find and read the records of a format. */
function conversion(format: LogFormat, { layout, ...options }: LogOptions): Conversion {
  const { state = newConversionState() } = options
  switch (format) {
    case 'logfmt':
      return { format, state, find: findLine, read: logfmtReader(options) }
    case 'clf':
      return { format, state, find: findLine, read: clfReader(options) }
    case 'syslog':
      return syslogConversion({ layout, ...options })
    case 'w3c':
      return w3cConversion(layout.w3c ?? { fields: [] }, options)
    case 'cri':
    case 'docker': {
      // The time of the runtime has a zone and nanoseconds.
      const inner = conversion(layout.inner ?? 'text', { ...options, layout, findsTime: false })
      return containerConversion({ format, container: CONTAINERS[format], inner, ...options })
    }
    case 'otlp-json':
      return otlpConversion()
    case 'text':
      return textConversion(layout, options)
    default:
      return format satisfies never
  }
}
