import { ndjsonLayout } from '../ndjson.js'
import type { Layout } from '../scanner.js'
import { readClf } from './clf.js'
import type { Conversion } from './conversion.js'
import { FrameScanner } from './frame-scanner.js'
import { logfmtReader } from './logfmt.js'
import { findFrame, findLine } from './records.js'
import { syslogReader } from './syslog.js'
import { readText } from './text.js'

/** Logs that are no JSON: each record becomes an object. */
export const LOG_FORMATS = ['logfmt', 'clf', 'syslog', 'text'] as const

/** A format whose lines become events in JSON before they are sent. */
export type LogFormat = (typeof LOG_FORMATS)[number]

interface LogOptions {
  /** Nanoseconds since 1970, for times that leave out their year. */
  readonly now: bigint
  /** Whether the event time is looked for where the format does not fix its place. */
  readonly findsTime: boolean
}

export function logLayout(format: LogFormat, options: LogOptions): Layout {
  const lines = ndjsonLayout()
  return {
    ...lines,
    again: () => logLayout(format, options),
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
