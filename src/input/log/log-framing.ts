import type { Framing } from '../framing.js'
import { ndjsonFraming } from '../ndjson.js'
import { readClf } from './clf.js'
import { FrameScanner } from './frame-scanner.js'
import type { Conversion, LogFormat } from './log-format.js'
import { logfmtReader } from './logfmt.js'
import { findFrame, findLine } from './records.js'
import { syslogReader } from './syslog.js'
import { type TextOptions, TextReader } from './text.js'

export function logFraming(format: LogFormat, options: TextOptions): Framing {
  return framing(conversion(format, options))
}

/** All framings of an input share a conversion, which keeps the layout of its lines. */
function framing(conversion: Conversion): Framing {
  const lines = ndjsonFraming()
  return {
    ...lines,
    restart: () => framing(conversion),
    scanner: conversion.format === 'syslog' ? new FrameScanner() : lines.scanner,
    conversion,
  }
}

/** Returns the functions that find and read the records of a format. */
function conversion(format: LogFormat, options: TextOptions): Conversion {
  switch (format) {
    case 'logfmt':
      return { format, find: findLine, read: logfmtReader(options) }
    case 'clf':
      return { format, find: findLine, read: readClf }
    case 'syslog':
      return { format, find: findFrame, read: syslogReader(options) }
    case 'text':
      return textConversion(new TextReader(options))
    default:
      return format satisfies never
  }
}

function textConversion(reader: TextReader): Conversion {
  return {
    format: 'text',
    find: findLine,
    read: reader.read,
    learn: (text) => reader.learn(text),
    lineTime: () => reader.found,
  }
}
