import type { HttpTraceEvent } from '../../client/http-trace.js'
import { shortBytes, shortDuration } from '../option/quantity.js'

/** Formats an event of an HTTP exchange as lines: `>` for a request, `<` for a response. */
export function formatTraceEvent(moment: HttpTraceEvent): readonly string[] {
  switch (moment.kind) {
    case 'request': {
      const { exchange, method, url, headers, bodyBytes } = moment
      const sign = `#${exchange} >`
      return [`${sign} ${method} ${url}, ${shortBytes(bodyBytes)}`, ...headerLines(sign, headers)]
    }
    case 'response': {
      const { exchange, status, headers, bodyBytes, elapsedMs } = moment
      const sign = `#${exchange} <`
      const size = `${shortBytes(bodyBytes)} in ${shortDuration(elapsedMs)}`
      return [`${sign} ${status}, ${size}`, ...headerLines(sign, headers)]
    }
    case 'failure': {
      const { exchange, message, elapsedMs } = moment
      return [`#${exchange} < after ${shortDuration(elapsedMs)}: ${message}`]
    }
    default:
      return moment satisfies never
  }
}

function headerLines(
  sign: string,
  headers: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${sign} ${name}: ${value ?? ''}`)
}
