import type { Connection, HttpRequest, HttpResponse } from '../../../../client/connection.js'
import { addressed } from '../../../../client/http.js'
import { ingest } from '../../../../client/ingest.js'
import type { WireCompression } from '../../../../client/wire-compression.js'
import type { Batch } from '../../../../input/batch.js'
import { eventExtents } from '../../../../input/events.js'
import { defined } from '../../../../text/defined.js'
import { ChunkedBuffer } from '../../../../wire/bytes/chunked-buffer.js'
import { httpAddress } from '../../../connection/connect.js'
import { withoutToken } from '../../../connection/trace.js'
import { parametersOf } from '../../../ingest/option/event-time.js'
import type { IngestOptions } from '../../../ingest/option/options.js'
import type { Settings } from '../../../settings/settings.js'

/** A request that a run would send, without the token and the body. */
interface RecordedRequest {
  readonly method: string
  readonly url: string
  /** The data directory of the local service. */
  readonly dataDirectory?: string
  readonly headers: Readonly<Record<string, string>>
}

/** The batches that a run would send of an input. */
interface RecordedInput {
  readonly batches: number
  /** The total size of the bodies: compressed, and with CSV headers repeated. */
  readonly sentBytes: number
  /** The text of the first event as sent. */
  readonly firstEvent: string
}

interface RecorderOptions {
  readonly options: IngestOptions
  readonly settings: Settings
  readonly compression: WireCompression | undefined
}

export type RequestRecorder = ReturnType<typeof requestRecorder>

/** Records the requests of a run instead of sending them, for `--dry-run`. */
export function requestRecorder({ options, settings, compression }: RecorderOptions) {
  const inputs = new Map<string, RecordedInput>()
  const distinct = new Map<string, RecordedRequest>()
  let sentBytes = 0
  const connection: Connection = {
    name: 'nowhere',
    send: async (outgoing) => {
      add(outgoing)
      sentBytes = Buffer.byteLength(outgoing.body ?? '')
      return EMPTY_RESPONSE
    },
    async close() {},
  }

  function add(outgoing: HttpRequest): void {
    const { url: base, dataDirectory } = settings
    const address = base === undefined ? LOCAL : httpAddress({ ...settings, url: base })
    const { url, headers } = addressed(address, outgoing)
    const request = {
      method: outgoing.method,
      url: base === undefined ? url.pathname + url.search : url.href,
      ...(base === undefined && { dataDirectory }),
      headers: withoutToken(headers),
    }
    distinct.set(JSON.stringify(request), request)
  }

  return {
    /** The batches by the name of their input. */
    inputs: inputs as ReadonlyMap<string, RecordedInput>,
    /** Returns the requests; batches with the same headers share a request. */
    requests: (): readonly RecordedRequest[] => [...distinct.values()],
    async record(batch: Batch): Promise<void> {
      const { contentType, csv, body, events, timestampField, input } = batch
      await ingest(connection, {
        dataset: options.dataset,
        contentType,
        csv,
        body,
        events,
        batchId: BATCH_ID_PLACEHOLDER,
        parameters: { ...parametersOf(options), ...defined({ timestampField }) },
        compression,
      })
      const known = inputs.get(input) ?? { batches: 0, sentBytes: 0, firstEvent: firstOf(batch) }
      inputs.set(input, {
        ...known,
        batches: known.batches + 1,
        sentBytes: known.sentBytes + sentBytes,
      })
    },
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

function firstOf(batch: Batch): string {
  const [first] = eventExtents(batch)
  return first === undefined ? '' : batch.body.toString('utf8', first.from, first.to)
}
