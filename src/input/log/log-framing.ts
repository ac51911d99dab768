import type { Framing } from '../framing.js'
import { ndjsonFraming } from '../ndjson.js'
import { readClf } from './clf.js'
import { FrameScanner } from './frame-scanner.js'
import type { Conversion, LogFormat } from './log-format.js'
import { logfmtReader } from './logfmt.js'
import { MultilineScanner } from './multiline/multiline-scanner.js'
import { findFrame, findLine } from './records.js'
import { syslogReader } from './syslog.js'
import { SyslogTimes } from './syslog-time.js'
import { type TextOptions, textConversion } from './text.js'
import type { TextLayout } from './text-layout.js'

/** Returns the framing of a log. Lines of text have a layout. */
export function logFraming(
  format: LogFormat,
  { layout = {}, ...options }: TextOptions & { readonly layout?: TextLayout },
): Framing {
  return framing(conversion(format, { layout, ...options }))
}

/** All framings of an input share a conversion. */
function framing(conversion: Conversion): Framing {
  const lines = ndjsonFraming()
  return { ...lines, restart: () => framing(conversion), scanner: scanner(conversion), conversion }
}

function scanner({ format, start }: Conversion): Framing['scanner'] {
  if (format === 'syslog') return new FrameScanner()
  return start === undefined ? ndjsonFraming().scanner : new MultilineScanner(start)
}

function syslogConversion(times: SyslogTimes): Conversion {
  return {
    format: 'syslog',
    find: findFrame,
    read: syslogReader(times),
    lineTime: () => times.lineTime,
  }
}

/** Returns the functions that find and read the records of a format. */
function conversion(
  format: LogFormat,
  { layout, ...options }: TextOptions & { readonly layout: TextLayout },
): Conversion {
  switch (format) {
    case 'logfmt':
      return { format, find: findLine, read: logfmtReader(options) }
    case 'clf':
      return { format, find: findLine, read: readClf }
    case 'syslog':
      return syslogConversion(new SyslogTimes(options))
    case 'text':
      return textConversion(layout, options)
    default:
      return format satisfies never
  }
}
