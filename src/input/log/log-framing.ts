import type { Framing } from '../framing.js'
import { ndjsonFraming } from '../ndjson.js'
import { readClf } from './clf.js'
import { FrameScanner } from './frame-scanner.js'
import type { Conversion, LineReader, LogFormat } from './log-format.js'
import { logfmtReader } from './logfmt.js'
import { findFrame, findLine } from './records.js'
import { syslogReader } from './syslog.js'

interface LogOptions {
  /** Nanoseconds since 1970, for times that leave out their year. */
  readonly now: bigint
  /** Whether the event time is looked for where the format does not fix its place. */
  readonly findsTime: boolean
}

export function logFraming(format: LogFormat, options: LogOptions): Framing {
  const lines = ndjsonFraming()
  return {
    ...lines,
    restart: () => logFraming(format, options),
    scanner: format === 'syslog' ? new FrameScanner() : lines.scanner,
    conversion: conversion(format, options),
  }
}

/** How records of a format are found and read. */
function conversion(format: LogFormat, options: LogOptions): Conversion {
  switch (format) {
    case 'logfmt':
      return { format, find: findLine, read: logfmtReader(options) }
    case 'clf':
      return { format, find: findLine, read: readClf }
    case 'syslog':
      return { format, find: findFrame, read: syslogReader(options) }
    case 'text':
      return { format, find: findLine, read: readText }
    default:
      return format satisfies never
  }
}

/** Any line: it is a `message`. */
export const readText: LineReader = (line, event) => {
  event.text('message', line)
  return undefined
}
