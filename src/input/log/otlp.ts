import { OtlpDecoder, type Signal } from '../../wire/otlp/decode.js'
import { jsonToProtobuf } from '../../wire/otlp/json.js'
import { OtlpError } from '../../wire/otlp/part.js'
import type { Conversion, RecordExpander } from './log-format.js'

/** The first member of a request, as the Collector writes it. */
const REQUEST = /^\s*\{\s*"resource(Logs|Spans|Metrics)"\s*:/

/** True when a line is an export request of logs or traces in OTLP's JSON encoding. */
export function isOtlpRequest(line: string): boolean {
  const signal = REQUEST.exec(line)?.[1]
  return signal === 'Logs' || signal === 'Spans'
}

/** Returns the conversion of the files of the Collector's file exporter: a request per line, and an event per record in it. */
export function otlpConversion(): Conversion {
  return {
    format: 'otlp-json',
    expand: requestExpander(),
    read: (line, event) => {
      event.text('message', line)
      return undefined
    },
  }
}

function requestExpander(): RecordExpander {
  const decoders: Partial<Record<Signal, OtlpDecoder>> = {}
  return (line, events) => {
    const signal = REQUEST.exec(line.toString('latin1', 0, 256))?.[1]
    if (signal === undefined)
      return 'neither `resourceLogs` nor `resourceSpans` is its first member'
    if (signal === 'Metrics') return 'metrics are not stored'
    const name = signal === 'Logs' ? 'logs' : 'traces'
    decoders[name] ??= new OtlpDecoder(name)
    const decoder = decoders[name]
    const { size } = events
    const before = decoder.events
    try {
      for (const piece of decoder.decode(jsonToProtobuf(line, name))) {
        if (piece !== undefined) events.addBytes(piece)
      }
      return decoder.events - before
    } catch (error) {
      if (!(error instanceof OtlpError)) throw error
      events.size = size
      return error.message
    }
  }
}
