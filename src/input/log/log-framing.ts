import { timeZone } from '../../wire/time/time-zone.js'
import type { Framing } from '../framing.js'
import { ndjsonFraming } from '../ndjson.js'
import { returnsScanner } from './carriage-returns.js'
import { clfReader } from './clf.js'
import { firstTimeOf, newConversionState } from './conversion-state.js'
import { withJsonRecords } from './json-record.js'
import type { Conversion, ConversionOrigin, LogFormat } from './log-format.js'
import { LOGFMT_START, logfmtReader } from './logfmt.js'
import { ltsvReader } from './ltsv.js'
import { withTraces } from './multiline/headed-traces.js'
import { MultilineScanner } from './multiline/multiline-scanner.js'
import { withOtherProgram } from './other-program.js'
import { otlpConversion } from './otlp.js'
import { RecordScanner } from './record-scanner.js'
import { messageAt, type SyslogBody, syslogReader } from './syslog/syslog.js'
import { SyslogTimes } from './syslog/syslog-time.js'
import { tableConversion } from './table.js'
import { eventStart, type TextOptions, textConversion, withIndent } from './text.js'
import type { LineKind, TextLayout } from './text-layout.js'
import type { TimeDefaults } from './time/line-layout.js'
import { JOURNAL_TIME, SYSLOG_MONTH } from './time/time-parts.js'
import { w3cConversion } from './w3c.js'
import { CRI } from './wrapper/cri.js'
import { DOCKER } from './wrapper/docker.js'
import { wrappedConversion } from './wrapper/wrapped-conversion.js'
import { wrapperOf } from './wrapper/wrappers.js'

export const CONTAINERS = { cri: CRI, docker: DOCKER } as const

/** Returns the framing of a log. Lines of text have a layout. */
export function logFraming(
  format: LogFormat,
  { layout, ...options }: Omit<TextOptions, 'state'> & { readonly layout: TextLayout },
): Framing {
  const made = conversion(format, layout, { ...options, state: newConversionState() })
  const { now, findsTime, timeFormat, multiline, times = {} } = options
  const { zone, year, head, lastWritten } = times
  const origin = { format, layout, now, findsTime, timeFormat, multiline, year, head }
  return framing({ ...made, origin: { ...origin, zone: zone?.name }, lastWritten })
}

/** Returns a conversion that continues where another conversion of the same origin has stopped. */
export function continuedConversion(
  { format, layout, zone, year, head, ...origin }: ConversionOrigin,
  { state, lastWritten }: Pick<TextOptions, 'state'> & Pick<TimeDefaults, 'lastWritten'>,
): Conversion {
  const known = zone === undefined ? undefined : timeZone(zone)
  const times = { lastWritten, zone: known, year, head }
  return { ...conversion(format, layout, { ...origin, times, state }), lastWritten }
}

/** All framings of an input share a conversion. */
function framing(conversion: Conversion): Framing {
  const lines = ndjsonFraming()
  return { ...lines, restart: () => framing(conversion), scanner: scanner(conversion), conversion }
}

function scanner({ format, start, origin }: Conversion): Framing['scanner'] {
  const events =
    start === undefined
      ? new RecordScanner({ hasFrames: format === 'syslog' })
      : new MultilineScanner(start)
  return origin?.layout.hasReturns ? returnsScanner(events) : events
}

/** The beginning of a message: a priority, perhaps after the length of a frame, or a time. Files may have both kinds of lines. */
const SYSLOG_START = new RegExp(
  `(?:[1-9]\\d{0,8} )?<\\d{1,3}>|${SYSLOG_MONTH} [ \\d]?\\d (?:\\d{4} )?\\d\\d:|(?:1 )?\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:|${JOURNAL_TIME} `,
  'y',
)

function syslogConversion(layout: TextLayout, options: TextOptions): Conversion {
  const { isLines, sources = {} } = layout
  const { state, multiline = 'auto' } = options
  const times = new SyslogTimes(options)
  const lines = isLines ? eventStart(multiline, [{ scan: SYSLOG_START }]) : undefined
  const start = lines && multiline === 'auto' ? withTraces(lines, messageAt) : lines
  // The messages of these programs have a format of their own.
  const bodies = new Map(
    Object.entries(sources).map(([app, layout]) => [app, syslogBody(layout, options)]),
  )
  return {
    format: 'syslog',
    state,
    start,
    read: syslogReader(times, { ...options, bodies }),
    // The first time without a zone or a year.
    lineTime: () => firstTimeOf(state),
  }
}

function syslogBody(layout: TextLayout, options: TextOptions): SyslogBody {
  // The time of an object or an access log has a year and a zone, unlike the time of syslog.
  const isComplete = layout.json?.isUsual || layout.kind === 'clf'
  const timed = isComplete ? layoutConversion(layout, options).read : undefined
  const { read: untimed } = layoutConversion(layout, { ...options, findsTime: false })
  return { timed, untimed, isPairs: layout.kind === 'logfmt' }
}

/** Returns the functions that find and read the records of a format. */
function conversion(format: LogFormat, layout: TextLayout, options: TextOptions): Conversion {
  switch (format) {
    case 'logfmt':
    case 'ltsv':
    case 'clf':
    case 'syslog':
      return layoutConversion({ ...layout, kind: format }, options)
    case 'w3c':
      return w3cConversion(layout.w3c ?? { fields: [] }, options)
    case 'cri':
    case 'docker':
      return layoutConversion({ ...layout, wrapper: format }, options)
    case 'otlp-json':
      return otlpConversion()
    case 'table':
    case 'text':
      return layoutConversion(layout, options)
    default:
      return format satisfies never
  }
}

/** Returns the functions that find and read the events of lines in any layout. */
function layoutConversion(layout: TextLayout, given: TextOptions): Conversion {
  const { received: since } = layout
  const options = since === undefined ? given : { ...given, times: { ...given.times, since } }
  if (layout.wrapper !== undefined) return wrapped(layout, layout.wrapper, options)
  const { json, kind, table, other } = layout
  if (table !== undefined) return tableConversion(table, options)
  const main =
    kind === undefined ? textConversion(layout, options) : lineConversion(kind, layout, options)
  // The user decides which lines begin events, whatever program writes them.
  const isDetected = (options.multiline ?? 'auto') === 'auto'
  const lines =
    other !== undefined && isDetected
      ? withOtherProgram(main, layoutConversion(other, options))
      : main
  if (json === undefined) return lines
  const { isUsual, ...mapping } = json
  return withJsonRecords(lines, { ...options, mapping, ...(isUsual && { rejectsBroken: true }) })
}

function lineConversion(kind: LineKind, layout: TextLayout, options: TextOptions): Conversion {
  const { state, multiline = 'auto' } = options
  switch (kind) {
    case 'logfmt': {
      const start = multiline === 'auto' ? LOGFMT_START : eventStart(multiline, undefined)
      return { format: kind, state, start, read: logfmtReader(options) }
    }
    case 'ltsv':
      return { format: kind, state, read: ltsvReader(options) }
    case 'clf':
      return { format: kind, state, read: clfReader(options) }
    case 'syslog':
      return withIndent(syslogConversion(layout, options), layout.indent)
    default:
      return kind satisfies never
  }
}

function wrapped(layout: TextLayout, name: string, options: TextOptions): Conversion {
  const { findsTime, state } = options
  const wrapper = wrapperOf(name)
  // A checkpoint of a later version may name an unknown wrapper.
  if (wrapper === undefined) return textConversion({}, options)
  const { sources = {}, rest = {} } = layout
  const innerOptions = { ...options, findsTime: findsTime && !wrapper.hasTime }
  const inner = new Map(
    Object.entries(sources).map(([source, one]) => [source, innerOf(one, innerOptions)]),
  )
  const others = innerOf(rest, innerOptions)
  const names = [...new Set([others, ...inner.values()].flatMap(({ name = [] }) => name))]
  // The format already has the name of the wrapper.
  const isContainer = name === 'cri' || name === 'docker'
  const shown = isContainer ? names : [name, ...names]
  return {
    ...wrappedConversion({
      format: isContainer ? name : 'text',
      wrapper,
      inner: (source) => inner.get(source) ?? others,
      findsTime,
    }),
    ...(shown.length > 0 && { name: shown.join(', ') }),
    state,
    lineTime: () =>
      [others, ...inner.values()]
        .map((one) => one.lineTime?.())
        .find((time) => time?.kind === 'found'),
  }
}

/** Returns the conversion of the lines of a program; objects among the lines are recognized in any layout. */
function innerOf(layout: TextLayout, options: TextOptions): Conversion {
  const { isUsual: _, ...json } = layout.json ?? {}
  return layoutConversion({ ...layout, json }, options)
}
