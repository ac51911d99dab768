import type { Connection, HttpRequest, HttpResponse } from '../../../../client/connection.js'
import { addressed } from '../../../../client/http.js'
import { withoutToken } from '../../../../client/http-trace.js'
import { ingest } from '../../../../client/ingest.js'
import type { WireCompression } from '../../../../client/wire-compression.js'
import type { Batch } from '../../../../input/batch.js'
import { eventExtents } from '../../../../input/events.js'
import { locateUnsendable } from '../../../../input/locate.js'
import { escapeControls } from '../../../../render/escape-controls.js'
import { cutText } from '../../../../render/fit-text.js'
import { writeText } from '../../../../render/write.js'
import { defined } from '../../../../text/defined.js'
import { ChunkedBuffer } from '../../../../wire/bytes/chunked-buffer.js'
import { httpAddress } from '../../../connection/connect.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { counted, shortBytes } from '../../../option/quantity.js'
import type { Settings } from '../../../settings/settings.js'
import { parametersOf } from '../option/event-time.js'
import { formatName } from '../read/format-name.js'
import { type PreviewOptions, previewInputs } from './preview-inputs.js'

interface DryRunOptions extends PreviewOptions {
  readonly settings: Settings
  readonly compression: WireCompression | undefined
}

/** At most this many events that can't be sent are listed. */
const MAX_SHOWN = 10

/** Runs `evq ingest … --dry-run`: does everything except sending. */
export async function runDryRun(run: DryRunOptions): Promise<ExitCode> {
  const { options, context, interrupt } = run
  const { io } = context
  const { report, unsendable, unreadable } = await recordRequests(run)
  const isTerminal = io.stdout.isTTY === true
  const text = isTerminal ? dryRunText(report, io.stdout.columns ?? 80) : dryRunRecords(report)
  await writeText(io.stdout, text)
  for (const place of unsendable.slice(0, MAX_SHOWN)) context.warn(place)
  for (const message of unreadable) context.warn(message)
  context.info(`${options.dataset}: ${summary(report, unsendable.length)}, nothing was sent`)
  const interrupted = interrupt.exitCode()
  if (interrupted !== undefined) return interrupted
  return unreadable.length > 0 ? EXIT.failed : EXIT.done
}

async function recordRequests(run: DryRunOptions) {
  const recorder = new RequestRecorder(run)
  const unsendable: string[] = []
  const unreadable = await previewInputs(run, {
    batch: (batch) => recorder.record(batch),
    unsendable: (event) => unsendable.push(`${locateUnsendable(event)}: ${event.reason}`),
  })
  return { report: recorder.report, unsendable, unreadable }
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

/** Records requests instead of sending them. */
class RequestRecorder {
  private readonly run: DryRunOptions
  private readonly requests = new Map<string, DryRunReport['requests'][number]>()
  private readonly files = new Map<string, Mutable<DryRunReport['files'][number]>>()
  private sentBytes = 0

  constructor(run: DryRunOptions) {
    this.run = run
  }

  get report(): DryRunReport {
    return { requests: [...this.requests.values()], files: [...this.files.values()] }
  }

  async record(batch: Batch): Promise<void> {
    const { dataset } = this.run.options
    const { contentType, csv, body, timestampField } = batch
    const parameters = { ...parametersOf(this.run.options), ...defined({ timestampField }) }
    const { compression } = this.run
    const request = {
      dataset,
      contentType,
      csv,
      body,
      events: batch.events,
      batchId: BATCH_ID_PLACEHOLDER,
      parameters,
      compression,
    }
    await ingest(this.connection, request)
    const file = this.files.get(batch.input) ?? newFile(batch)
    file.batches += 1
    file.events += batch.events
    file.bytes += batch.bytes
    file.sentBytes += this.sentBytes
    this.files.set(batch.input, file)
  }

  private readonly connection: Connection = {
    name: 'nowhere',
    send: async (outgoing) => {
      this.note(outgoing)
      this.sentBytes = Buffer.byteLength(outgoing.body ?? '')
      return EMPTY_RESPONSE
    },
    async close() {},
  }

  /** Records a request; batches with the same headers share one. */
  private note(outgoing: HttpRequest): void {
    const { settings } = this.run
    const { url: base, dataDirectory } = settings
    const address = base === undefined ? LOCAL : httpAddress({ ...settings, url: base })
    const { url, headers } = addressed(address, outgoing)
    const request = {
      method: outgoing.method,
      url: base === undefined ? url.pathname + url.search : url.href,
      ...(base === undefined && { dataDirectory }),
      headers: withoutToken(headers),
    }
    this.requests.set(JSON.stringify(request), request)
  }
}

/** Replaces batch ids, which differ between batches. */
const BATCH_ID_PLACEHOLDER = '…'

const LOCAL = { name: 'the local service', url: 'http://localhost' }

const EMPTY_RESPONSE: HttpResponse = {
  status: 200,
  headers: {},
  body: ChunkedBuffer.of('{"ingested":0,"failed":0,"failures":[]}'),
  url: '',
}

function newFile(batch: Batch): Mutable<DryRunReport['files'][number]> {
  const [first] = eventExtents(batch)
  const { timestampField } = batch.mapping ?? {}
  return {
    file: batch.input,
    format: formatName(batch),
    timestampField,
    batches: 0,
    events: 0,
    bytes: 0,
    sentBytes: 0,
    firstEvent: first === undefined ? '' : batch.body.toString('utf8', first.from, first.to),
  }
}

function summary({ files }: DryRunReport, unsendable: number): string {
  const events = files.reduce((sum, file) => sum + file.events, 0)
  const batches = files.reduce((sum, file) => sum + file.batches, 0)
  const rest = unsendable > 0 ? [`${counted(unsendable, 'event')} can't be sent`] : []
  return [`${counted(events, 'event')} in ${counted(batches, 'batch')}`, ...rest].join(', ')
}

/** The requests of a run. */
export interface DryRunReport {
  /** The distinct requests. */
  readonly requests: readonly {
    readonly method: string
    readonly url: string
    /** The data directory of the local service. */
    readonly dataDirectory?: string
    readonly headers: Readonly<Record<string, string>>
  }[]
  readonly files: readonly {
    readonly file: string
    readonly format: string | null
    /** The detected field of the event time. */
    readonly timestampField?: string
    readonly batches: number
    readonly events: number
    /** The bytes read. */
    readonly bytes: number
    /** The bytes sent: compressed, and with CSV headers repeated. */
    readonly sentBytes: number
    /** The text of the first event as sent. */
    readonly firstEvent: string
  }[]
}

/** Yields the report as NDJSON. */
export function* dryRunRecords({ requests, files }: DryRunReport): Iterable<string> {
  for (const request of requests) yield `${JSON.stringify({ kind: 'request', ...request })}\n`
  for (const file of files) yield `${JSON.stringify({ kind: 'file', ...file })}\n`
}

/** Yields the report as text, with the first event of each file cut to the width. */
export function* dryRunText({ requests, files }: DryRunReport, width: number): Iterable<string> {
  for (const { method, url, dataDirectory, headers } of requests) {
    const place = dataDirectory === undefined ? '' : ` in the data directory \`${dataDirectory}\``
    yield `${escapeControls(`${method} ${url}${place}`)}\n`
    for (const [name, value] of Object.entries(headers))
      yield `  ${escapeControls(`${name}: ${value}`)}\n`
    yield '\n'
  }
  for (const report of files) {
    const { file, format, timestampField, batches, events, bytes, sentBytes, firstEvent } = report
    const compressed = sentBytes < bytes ? ` (${shortBytes(sentBytes)} compressed)` : ''
    const parts = [
      counted(events, 'event'),
      `${shortBytes(bytes)}${compressed}`,
      counted(batches, 'batch'),
      ...(format === null ? [] : [format]),
      ...(timestampField === undefined ? [] : [escapeControls(`time from \`${timestampField}\``)]),
    ]
    yield `${escapeControls(file)}: ${parts.join(', ')}\n`
    // Cut first, because an event may be as long as a batch.
    yield `  ${cutText(escapeControls(firstEvent.slice(0, width)), width - 3)}\n`
  }
}
