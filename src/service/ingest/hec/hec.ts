import { isUtf8 } from 'node:buffer'
import type { BatchOutcome } from '../../../engine/batch.js'
import { wholeText } from '../../body/json-body.js'
import type { ServiceRequest, ServiceResponse } from '../../http.js'
import { RefusedError } from '../../refused-error.js'
import type { Call, Service } from '../../route.js'
import { eventOptions } from '../ingest-options.js'
import { eventPieces } from '../labeled-line.js'
import {
  type BatchPiece,
  type BatchResult,
  checkDataset,
  type DecodedBatch,
  type DecodingSteps,
  type IngestProtocol,
  outcomesOf,
} from '../protocol.js'
import { targetDataset } from '../target-dataset.js'
import { eventOf } from './envelope.js'
import { envelopesIn, invalidEvent } from './envelopes.js'
import { rawEvents } from './raw-lines.js'
import { HecError, hecError, hecResponse } from './status.js'

/** The metadata that a request can give for all of its events, as query parameters. */
const METADATA = ['host', 'source', 'sourcetype'] as const

interface Target {
  readonly batch: DecodedBatch
  /** The positions of the events in the request. */
  readonly positions: number[]
  lines: string
}

/**
 * Splunk's HTTP Event Collector: `POST /services/collector/event`, envelopes with one event each. Nothing is stored when an
 * envelope is malformed; an event that the store rejects does not affect the other events.
 */
export const hecEvents: IngestProtocol = {
  name: 'hec',
  encodeError: hecError,
  decode(call, service) {
    const terms = eventOptions(call.request)
    const targets = new Map<string, Target>()
    const byIndex = new Map<string | undefined, Target>()
    const datasetOf = datasetsOf(call, service)
    const targetOf = (index: string | undefined, position: number): Target => {
      const known = byIndex.get(index)
      if (known !== undefined) return known
      const dataset = datasetOf(index, position)
      const target = targets.get(dataset) ?? {
        batch: { dataset, ...terms },
        positions: [],
        lines: '',
      }
      targets.set(dataset, target)
      byIndex.set(index, target)
      return target
    }
    return {
      async *decodeBody(body): AsyncGenerator<DecodingSteps, void> {
        const defaults = metadataOf(call.request)
        yield decodeEnvelopes(await wholeText(body), { targetOf, targets, defaults })
      },
      encode: (results) =>
        encode(
          results,
          [...targets.values()].map(({ positions }) => positions),
        ),
    }
  },
}

/** `POST /services/collector/raw`: each line of the body is an event. */
export const hecRaw: IngestProtocol = {
  name: 'hec',
  encodeError: hecError,
  decode(call, service) {
    const terms = eventOptions(call.request)
    const metadata = metadataOf(call.request)
    const members = [...metadata].map(([name, value]) => `"${name}":${value}`)
    const labels = [...members, ...(terms.labels ? [terms.labels] : [])].join(',')
    const batch: DecodedBatch = {
      dataset: datasetsOf(call, service)(undefined, 0),
      ...terms,
      ...(labels !== '' && { labels }),
    }
    const isJson = /json/i.test(call.request.headers['content-type'] ?? '')
    return {
      async *decodeBody(body) {
        const bytes = await wholeText(body)
        const events = rawEvents(bytes, { isJson, metadata })
        yield eventPieces(events, { batch, bodyBytes: bytes.length })
      },
      encode: (results) => encode(results, []),
    }
  },
}

/**
 * Returns a function that returns the dataset of an event, given the index that its envelope names. In order of precedence, it is
 * the index in the query, the index of the envelope, the dataset in a header or in the query, the only dataset that the token may
 * ingest into, or the default of the service.
 */
function datasetsOf(
  call: Call,
  { caller, defaultDataset }: Pick<Service, 'caller' | 'defaultDataset'>,
): (index: string | undefined, position: number) => string {
  const { ingest = [] } = caller
  const only = ingest.length === 1 && ingest[0] !== '*' ? ingest[0] : undefined
  const fallback = only ?? defaultDataset
  const common = call.request.query.get('index') || undefined
  return (index, position) => {
    const dataset = common ?? index
    try {
      if (dataset === undefined) return targetDataset(call, { defaultDataset: fallback })
      checkDataset(dataset)
      return dataset
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      throw new HecError(7, {
        event: position,
        message: `${error.message} None of the events were stored.`,
      })
    }
  }
}

function metadataOf({ query }: ServiceRequest): Map<string, string> {
  return new Map(
    METADATA.flatMap((name) => {
      const value = query.get(name)
      return value ? [[name, JSON.stringify(value)] as const] : []
    }),
  )
}

interface DecodeOptions {
  readonly targetOf: (index: string | undefined, position: number) => Target
  readonly targets: ReadonlyMap<string, Target>
  readonly defaults: Map<string, string>
}

/** The size of the part of a body whose events are passed on together. */
const PIECE_BYTES = 64 * 1024

/** Decodes the events of a body, one per step. */
function* decodeEnvelopes(
  body: Buffer,
  { targetOf, targets, defaults }: DecodeOptions,
): Generator<BatchPiece | undefined, void> {
  let position = 0
  let pieceAt = 0
  for (const { start, end } of envelopesIn(body)) {
    const envelope = body.subarray(start, end)
    if (!isUtf8(envelope)) throw invalidEvent(position, 'it is not UTF-8')
    const { index, line } = eventOf(envelope.toString(), { position, defaults })
    const target = targetOf(index, position)
    target.lines += `${line}\n`
    target.positions.push(position)
    position += 1
    yield undefined
    if (end - pieceAt < PIECE_BYTES) continue
    yield* pieces(targets, end - pieceAt)
    pieceAt = end
  }
  if (position === 0) throw new HecError(5)
  yield* pieces(targets, body.length - pieceAt)
}

/** Yields the lines that the targets have from a part of the body. */
function* pieces(
  targets: ReadonlyMap<string, Target>,
  partBytes: number,
): Generator<BatchPiece, void> {
  let bodyBytes = partBytes
  for (const target of targets.values()) {
    if (target.lines === '') continue
    yield { batch: target.batch, lines: Buffer.from(target.lines), bodyBytes }
    target.lines = ''
    bodyBytes = 0
  }
}

function encode(
  results: readonly BatchResult[],
  positions: readonly (readonly number[])[],
): ServiceResponse {
  const outcomes = outcomesOf(results)
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0)
  if (failed === 0) return hecResponse(200, 0)
  const stored = outcomes.reduce((sum, { ingested }) => sum + ingested, 0)
  const [first] = outcomes
    .flatMap((outcome, i) => firstRejected(outcome, positions[i]))
    .sort((a, b) => a.event - b.event)
  // A response of 200 would hide that events are missing.
  return hecResponse(400, 6, {
    event: first?.event ?? 0,
    message: `${failed} of ${failed + stored} events were rejected, and ${stored} stored. The first one is event ${(first?.event ?? 0) + 1} of the request: ${first?.reason ?? 'unknown'}`,
  })
}

function firstRejected(
  { rejected }: BatchOutcome,
  positions: readonly number[] | undefined,
): readonly { readonly event: number; readonly reason: string }[] {
  const [first] = rejected
  if (first === undefined) return []
  return [{ event: positions?.[first.index] ?? first.index, reason: first.reason }]
}
