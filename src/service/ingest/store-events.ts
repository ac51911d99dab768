import pLimit from 'p-limit'
import type { Batch, BatchOutcome } from '../../engine/batch.js'
import { responseError, StoreError, toStoreError } from '../../engine/store-error.js'
import { REQUEST_DATASETS, REQUEST_NEW_DATASETS } from '../../wire/limits.js'
import { Turn } from '../../wire/steps/steps.js'
import { readBody } from '../body/json-body.js'
import { newRecord, saveFirstRecords } from '../dataset/record.js'
import { rejectUnknownHeaders } from '../hosted-headers.js'
import type { ServiceRequest, ServiceResponse } from '../http.js'
import { overloaded, RefusedError, requestTooLarge } from '../refused-error.js'
import { type Call, type Endpoint, type Route, route, type Service } from '../route.js'
import type { Permit } from './admission.js'
import { eventLabels } from './ingest-options.js'
import { piecesInTurns } from './pieces-in-turns.js'
import {
  type BatchPiece,
  type BatchResult,
  checkDataset,
  type DecodedBatch,
  type IngestProtocol,
  type IngestRequest,
  outcomeOf,
} from './protocol.js'
import { SpoolFile } from './spool-file.js'

/** The maximum size of the pieces in which a body is decoded. */
const BODY_PIECE_BYTES = 64 * 1024

export function ingestRoute(endpoint: Endpoint, protocol: IngestProtocol): Route {
  return {
    ...route(endpoint, 'ingest', (call, service) => ingest(call, service, protocol)),
    protocol: protocol.name,
    encodeError: protocol.encodeError,
    // Clients append the path to an address that may end in a slash, and drop their events when the path is unknown.
    ignoresExtraSlashes: true,
  }
}

/** Stores the events of a request within the limits of the service, and returns the protocol's response. */
async function ingest(
  call: Call,
  service: Service,
  protocol: IngestProtocol,
): Promise<ServiceResponse> {
  const { request } = call
  rejectUnknownHeaders(request)
  const decoded = protocol.decode(call, service)
  const labels = eventLabels(request)
  const arrivedAt = service.now()
  const limit = service.limits.bodyBytes
  const bytes = Math.min(Number(request.headers['content-length'] ?? 0), limit)
  const permit = service.admission.admit(bytes)
  try {
    const body = admittedBody(request, { limit, permit, own: protocol.ownEncodings })
    const pieces = piecesInTurns(decoded.decodeBody(body))
    const results = await storeEvents(pieces, {
      service,
      protocol: protocol.name,
      arrivedAt,
      bytes,
      isKept: request.keepsBody === true,
      ...labels,
    })
    const rejected = decoded.rejectedOutsideBatches?.() ?? 0
    service.metrics.ingested(protocol.name, { rejected })
    return await encoded(decoded, results)
  } finally {
    permit.release()
  }
}

async function* admittedBody(
  request: ServiceRequest,
  { limit, permit, own }: { limit: number; permit: Permit; own: readonly string[] | undefined },
): AsyncGenerator<Buffer, void> {
  const turn = new Turn()
  let bytes = 0
  for await (const piece of readBody(request, limit, { ownEncodings: own })) {
    bytes += piece.length
    // The size can exceed the declared length when the body is compressed or chunked.
    permit.grow(bytes)
    for (let at = 0; at < piece.length; at += BODY_PIECE_BYTES) {
      yield piece.subarray(at, at + BODY_PIECE_BYTES)
    }
    // Node reads up to 2 MB from one connection before it serves others.
    if (turn.isOver) await turn.next()
  }
}

/** The dependencies of storing events that did not arrive in a request. */
export type Intake = Pick<
  Service,
  'store' | 'admission' | 'metrics' | 'caller' | 'permitIngest' | 'now'
>

/** Events that did not arrive in a request. */
interface ReceivedEvents extends Pick<Batch, 'dataset' | 'arrivedAt'> {
  readonly batchId: string
  /** NDJSON, one event per line. */
  readonly lines: Buffer
  /** Length in bytes of the data from which the lines were decoded. */
  readonly bytes: number
}

/**
 * Stores events within the limits of the service. Throws a `RefusedError` when too many requests are waiting, and a `StoreError`
 * when the events can't be stored.
 */
export async function storeReceived(
  { dataset, batchId, lines, arrivedAt, bytes }: ReceivedEvents,
  { intake, protocol }: { readonly intake: Intake; readonly protocol: string },
): Promise<BatchOutcome> {
  const permit = intake.admission.admit(bytes)
  try {
    const batch: DecodedBatch = { dataset, batchId, timestampField: '_time' }
    return outcomeOf(
      await storeEvents([{ batch, lines, bodyBytes: bytes }], {
        service: intake,
        protocol,
        arrivedAt,
        bytes,
      }),
    )
  } finally {
    permit.release()
  }
}

interface StoreOptions {
  readonly service: Pick<Service, 'store' | 'metrics' | 'caller' | 'permitIngest'>
  /** The value of the label `protocol` in metrics. */
  readonly protocol: string
  /** Nanoseconds since 1970. */
  readonly arrivedAt: bigint
  /** The declared length of the data from which the events are decoded, for the check of free disk space. */
  readonly bytes: number
  /** True when the pieces are parts of a body that stays in memory. */
  readonly isKept?: boolean
  /** The labels of batches that have no labels of their own. */
  readonly labels?: string
}

/**
 * Stores the batches of decoded events, and returns their results in the order of their first pieces. Nothing is stored before all
 * pieces have arrived. Throws a `RefusedError` when the caller may not ingest into one of the datasets.
 */
async function storeEvents(
  pieces: AsyncIterable<BatchPiece> | Iterable<BatchPiece>,
  options: StoreOptions,
): Promise<readonly BatchResult[]> {
  const { service, protocol, arrivedAt, labels } = options
  const { store, metrics } = service
  const spooled = new Map<DecodedBatch, SpooledBatch>()
  try {
    const spool = () => spoolPieces(pieces, spooled, options)
    await (options.isKept ? keptBodies(spool) : spool())
    const datasets = new Set([...spooled.keys()].map(({ dataset }) => dataset))
    await checkNewDatasets([...datasets], options)
    const batches: Batch[] = []
    const created = new Set<string>()
    for (const [{ convert, ...batch }, { file, keep, bodyBytes }] of spooled) {
      batches.push({
        labels,
        ...batch,
        lines: { ...(await file.finish(keep)), convert },
        arrivedAt,
        bytes: bodyBytes,
        onStored: ({ ingested, failed, bytes }) =>
          metrics.ingested(protocol, { events: ingested, rejected: failed, bytes }),
        onCreated: () => created.add(batch.dataset),
      })
    }
    const settled = await Promise.allSettled(batches.map((batch) => store.ingest(batch)))
    const record = newRecord(service.caller.name, arrivedAt)
    // The events are already stored, and a record that can't be saved is determined from them later.
    await saveFirstRecords(store, [...created], record).catch(() => {})
    return settled.map((one) => (one.status === 'fulfilled' ? one.value : toStoreError(one.reason)))
  } finally {
    for (const { file } of spooled.values()) await file.remove()
  }
}

/** Bodies in memory are decoded one after the other: several at the same time would only take more memory. */
const keptBodies = pLimit(1)

async function spoolPieces(
  pieces: AsyncIterable<BatchPiece> | Iterable<BatchPiece>,
  spooled: Map<DecodedBatch, SpooledBatch>,
  options: StoreOptions,
): Promise<void> {
  for await (const { batch, lines, bodyBytes, keep } of pieces) {
    const spool = spooled.get(batch) ?? open(batch, spooled, options)
    spool.bodyBytes += bodyBytes
    spool.keep = keep
    await spool.file.write(lines)
  }
}

interface SpooledBatch {
  readonly file: SpoolFile
  bodyBytes: number
  keep: number | undefined
}

function open(
  batch: DecodedBatch,
  spooled: Map<DecodedBatch, SpooledBatch>,
  { service, bytes, isKept = false }: StoreOptions,
): SpooledBatch {
  const { dataset } = batch
  checkDataset(dataset)
  service.permitIngest(dataset)
  if (spooled.size === REQUEST_DATASETS) throw tooManyBatches()
  const file = new SpoolFile({ folder: service.store.spool, bytes, isKept })
  const opened: SpooledBatch = { file, bodyBytes: 0, keep: undefined }
  spooled.set(batch, opened)
  return opened
}

/**
 * Throws a `RefusedError` when a request has events for too many datasets that do not exist. First it creates some of the datasets,
 * so that the request succeeds when it has been repeated often enough. Refusing only some of the events would lose or duplicate
 * events, since many clients repeat a request as a whole or not at all.
 */
async function checkNewDatasets(
  datasets: readonly string[],
  { service, arrivedAt }: StoreOptions,
): Promise<void> {
  const { store, caller } = service
  const missing = datasets.filter((name) => !store.has(name))
  if (missing.length <= REQUEST_NEW_DATASETS) return
  const created = missing.slice(0, REQUEST_NEW_DATASETS)
  for (const name of created) await store.create(name)
  // A record that can't be saved is determined later, as for datasets that events create.
  await saveFirstRecords(store, created, newRecord(caller.name, arrivedAt)).catch(() => {})
  throw tooManyNewDatasets(missing.length)
}

async function encoded(
  request: IngestRequest,
  results: readonly BatchResult[],
): Promise<ServiceResponse> {
  try {
    return await request.encode(results)
  } catch (error) {
    const isStored = results.some((one) => !(one instanceof StoreError) && one.ingested > 0)
    if (!isStored || error instanceof StoreError || error instanceof RefusedError) throw error
    throw responseError(error)
  }
}

function tooManyBatches(): RefusedError {
  return requestTooLarge(`The request has events for more than ${REQUEST_DATASETS} datasets`)
}

function tooManyNewDatasets(count: number): RefusedError {
  return overloaded(
    `The request has events for ${count} datasets that did not exist. ${REQUEST_NEW_DATASETS} of them, the maximum per request, were created now; none of the events were stored.`,
  )
}
