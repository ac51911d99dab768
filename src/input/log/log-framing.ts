import type { Framing } from '../framing.js'
import { ndjsonFraming } from '../ndjson.js'
import { readClf } from './clf.js'
import { FrameScanner } from './frame-scanner.js'
import type { Conversion, LineReader, LogFormat } from './log-format.js'
import { logfmtReader } from './logfmt.js'
import { findFrame, findLine } from './records.js'
import { syslogReader } from './syslog.js'

interface LogOptions {
  /** Nanoseconds since 1970; completes times without a year. */
  readonly now: bigint
  /** False when another field was named as the event time, so that no field becomes `_time`. */
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

/** Returns the functions that find and read the records of a format. */
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

/** Reads any line as a `message`. */
const readText: LineReader = (line, event) => {
  event.text('message', line)
  return undefined
}
