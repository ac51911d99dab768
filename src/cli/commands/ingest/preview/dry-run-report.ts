import { escapeControls } from '../../../../render/escape-controls.js'
import { cutText } from '../../../../render/fit-text.js'
import { counted, shortBytes } from '../../../option/quantity.js'

/** What a run would send, and where. */
export interface DryRunReport {
  /** Every kind of request that there would be. */
  readonly requests: readonly {
    readonly method: string
    readonly url: string
    /** Where the local service would carry it out. */
    readonly dataDirectory?: string
    readonly headers: Readonly<Record<string, string>>
  }[]
  readonly files: readonly {
    readonly file: string
    readonly format: string | null
    readonly batches: number
    readonly events: number
    /** As they were read. */
    readonly bytes: number
    /** As they would go out: packed, and with headers repeated. */
    readonly sentBytes: number
    /** The text of the first event as it would go out. */
    readonly firstEvent: string
  }[]
}

/** An object a line. */
export function* dryRunRecords({ requests, files }: DryRunReport): Iterable<string> {
  for (const request of requests) yield `${JSON.stringify({ kind: 'request', ...request })}\n`
  for (const file of files) yield `${JSON.stringify({ kind: 'file', ...file })}\n`
}

/** The same for a reader, the first event of each file as far as a line of the terminal goes. */
export function* dryRunText({ requests, files }: DryRunReport, width: number): Iterable<string> {
  for (const { method, url, dataDirectory, headers } of requests) {
    const place = dataDirectory === undefined ? '' : ` in the data directory \`${dataDirectory}\``
    yield `${escapeControls(`${method} ${url}${place}`)}\n`
    for (const [name, value] of Object.entries(headers))
      yield `  ${escapeControls(`${name}: ${value}`)}\n`
    yield '\n'
  }
  for (const { file, format, batches, events, bytes, sentBytes, firstEvent } of files) {
    const packed = sentBytes < bytes ? ` (${shortBytes(sentBytes)} on the way)` : ''
    const parts = [
      counted(events, 'event'),
      `${shortBytes(bytes)}${packed}`,
      counted(batches, 'batch'),
      ...(format === null ? [] : [format]),
    ]
    yield `${escapeControls(file)}: ${parts.join(', ')}\n`
    // Only a terminal's line of it is shown, and an event may be as long as a batch.
    yield `  ${cutText(escapeControls(firstEvent.slice(0, width)), width - 3)}\n`
  }
}
