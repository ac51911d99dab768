import type { Framing } from '../framing.js'
import { ndjsonFraming } from '../ndjson.js'
import { readClf } from './clf.js'
import { containerConversion } from './container/container-conversion.js'
import { CRI } from './container/cri.js'
import { DOCKER } from './container/docker.js'
import { FrameScanner } from './frame-scanner.js'
import type { Conversion, LogFormat } from './log-format.js'
import { logfmtReader } from './logfmt.js'
import { MultilineScanner } from './multiline/multiline-scanner.js'
import { findFrame, findLine } from './records.js'
import { syslogReader } from './syslog.js'
import { SyslogTimes } from './syslog-time.js'
import { type TextOptions, textConversion } from './text.js'
import type { TextLayout } from './text-layout.js'
import { w3cConversion } from './w3c.js'

export const CONTAINERS = { cri: CRI, docker: DOCKER } as const

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
    case 'w3c':
      return w3cConversion(layout.w3c ?? { fields: [] }, options)
    case 'cri':
    case 'docker': {
      // The time of the runtime has a zone and nanoseconds.
      const inner = conversion(layout.inner ?? 'text', { ...options, layout, findsTime: false })
      return containerConversion({ format, container: CONTAINERS[format], inner, ...options })
    }
    case 'text':
      return textConversion(layout, options)
    default:
      return format satisfies never
  }
}
