import type { Connection, HttpRequest, HttpResponse } from '../../../../client/connection.js'
import { addressed } from '../../../../client/http.js'
import { withoutToken } from '../../../../client/http-trace.js'
import { ingest } from '../../../../client/ingest.js'
import type { WireCompression } from '../../../../client/wire-compression.js'
import type { Batch } from '../../../../input/batch.js'
import { eventExtents } from '../../../../input/events.js'
import { locateUnsendable } from '../../../../input/locate.js'
import { writeText } from '../../../../render/write.js'
import { ChunkedBuffer } from '../../../../wire/bytes/chunked-buffer.js'
import { httpAddress } from '../../../connection/connect.js'
import type { Context } from '../../../context.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { counted } from '../../../option/quantity.js'
import type { Settings } from '../../../settings/settings.js'
import type { Interrupt } from '../../../terminal/interrupt.js'
import { parametersOf } from '../option/event-time.js'
import type { IngestOptions } from '../option/options.js'
import { formatName } from '../read/format-name.js'
import { inputsOf } from '../read/inputs.js'
import { type DryRunReport, dryRunRecords, dryRunText } from './dry-run-report.js'

interface DryRunOptions {
  readonly options: IngestOptions
  readonly context: Context
  readonly settings: Settings
  readonly compression: WireCompression | undefined
  readonly interrupt: Interrupt
}

/** So many events that can't be sent are shown one by one. */
const MOST_SHOWN = 10

/** `evq ingest … --dry-run`: goes through all of a run but the sending. */
export async function runDryRun(run: DryRunOptions): Promise<ExitCode> {
  const { options, context, interrupt } = run
  const { io } = context
  const { report, unsendable, unreadable } = await rehearse(run)
  const isTerminal = io.stdout.isTTY === true
  const text = isTerminal ? dryRunText(report, io.stdout.columns ?? 80) : dryRunRecords(report)
  await writeText(io.stdout, text)
  for (const place of unsendable.slice(0, MOST_SHOWN)) context.warn(place)
  for (const message of unreadable) context.warn(message)
  context.info(`${options.dataset}: ${summary(report, unsendable.length)}, nothing was sent`)
  const interrupted = interrupt.exitCode()
  if (interrupted !== undefined) return interrupted
  return unreadable.length > 0 ? EXIT.failed : EXIT.done
}

async function rehearse(run: DryRunOptions) {
  const { options, context, interrupt } = run
  const stage = new Stage(run)
  const unsendable: string[] = []
  const unreadable: string[] = []
  for await (const item of inputsOf(options, context, interrupt.signal)) {
    switch (item.kind) {
      case 'batch':
        await stage.play(item)
        item.release()
        break
      case 'unsendable':
        unsendable.push(`${locateUnsendable(item)}: ${item.reason}`)
        break
      case 'end':
        break
      case 'unreadable':
        unreadable.push(item.message)
        break
      default:
        item satisfies never
    }
  }
  return { report: stage.report, unsendable, unreadable }
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

/** Stands where the service would: it is sent everything, and lets nothing out. */
class Stage {
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

  async play(batch: Batch): Promise<void> {
    const { dataset } = this.run.options
    const { contentType, csv, body } = batch
    const parameters = parametersOf(this.run.options)
    const { compression } = this.run
    const request = { dataset, contentType, csv, body, batchId: ONE_EACH, parameters, compression }
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
      return EMPTY_ANSWER
    },
    async close() {},
  }

  /** Batches that are sent alike are told once. */
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

/** In place of batch ids, which differ from batch to batch. */
const ONE_EACH = '…'

const LOCAL = { name: 'the local service', url: 'http://localhost' }

const EMPTY_ANSWER: HttpResponse = {
  status: 200,
  headers: {},
  body: ChunkedBuffer.of('{"ingested":0,"failed":0,"failures":[]}'),
  url: '',
}

function newFile(batch: Batch): Mutable<DryRunReport['files'][number]> {
  const [first] = eventExtents(batch)
  return {
    file: batch.input,
    format: formatName(batch),
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
