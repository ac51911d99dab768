import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { errorCode } from '../../text/system-error.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { wholeBody } from '../body/json-body.js'
import { RequestJson } from '../body/request-json.js'
import type { EncodeError } from '../error-response.js'
import { json, type ServiceRequest, type ServiceResponse, utf8Header } from '../http.js'
import { invalidRequest, RefusedError } from '../refused-error.js'
import {
  eventOf,
  eventPieces,
  type LineField,
  type LineFields,
  lineFields,
  nanosecondTime,
  readField,
} from './labeled-line.js'
import {
  checkDataset,
  type DecodedBatch,
  type DecodingSteps,
  type IngestProtocol,
  outcomeOf,
} from './protocol.js'

/**
 * `POST /v1/ingest/<dataset>/firehose`: records of Amazon Data Firehose, each with lines, which may be JSON objects, or with
 * log events of CloudWatch. The response repeats the id of the request.
 */
export const firehose: IngestProtocol = {
  name: 'firehose',
  decode({ request, parameters }, { limits }) {
    const { dataset = '' } = parameters
    checkDataset(dataset)
    const id = request.headers[REQUEST_ID]
    // A request that Firehose sends again has the same id.
    const batch = { dataset, timestampField: '_time', batchId: id || undefined }
    const fields = commonAttributes(request)
    return {
      decodeBody: (body) => decodeBody(body, { batch, fields, limitBytes: limits.bodyBytes }),
      encode(results) {
        const { failed, ingested, rejected, arrivedAt } = outcomeOf(results)
        return response(200, {
          id,
          timestamp: Number(arrivedAt / 1_000_000n),
          // With an error status, Firehose would send all records again.
          ...(failed > 0 && {
            errorMessage: `${failed} of ${ingested + failed} events were rejected: ${rejected[0]?.reason}`,
          }),
        })
      },
    }
  },
  encodeError: encodeFailure,
}

const REQUEST_ID = 'x-amz-firehose-request-id'
const COMMON_ATTRIBUTES = 'x-amz-firehose-common-attributes'

/** Returns the parameters that are configured for all records of a stream, as fields. */
function commonAttributes({ headers }: ServiceRequest): LineFields {
  const header = headers[COMMON_ATTRIBUTES]
  const found: LineField[] = []
  if (!header) return lineFields(found)
  const reader = new RequestJson(
    utf8Header(header),
    `The header \`${COMMON_ATTRIBUTES}\` is malformed`,
  )
  for (const key of reader.members()) {
    if (key !== 'commonAttributes') reader.raw()
    else for (const name of reader.members()) readField(reader, name, found)
  }
  reader.end()
  return lineFields(found)
}

const FAILURE = 'The body is not a request of Amazon Data Firehose'

async function* decodeBody(
  body: AsyncIterable<Buffer>,
  { batch, fields, limitBytes }: { batch: DecodedBatch; fields: LineFields; limitBytes: number },
): AsyncGenerator<DecodingSteps, void> {
  const request = (await wholeBody(body)).toString()
  // An empty piece, so that a request without records has a batch, too.
  yield eventPieces([], { batch, bodyBytes: 0 })
  let room = limitBytes
  for (const group of groupsOf(recordsOf(new RequestJson(request, FAILURE)))) {
    if (group === undefined) {
      yield NOTHING_DECODED
      continue
    }
    const together = unpackedTogether(group, room)
    if (together !== undefined) {
      const bodyBytes = together.reduce((sum, { length }) => sum + length, 0)
      room -= bodyBytes
      yield eventPieces(linesOf(together, fields), { batch, bodyBytes })
      continue
    }
    for (const packed of group) {
      const record = await unpacked(packed, room)
      room -= record.length
      yield eventPieces(linesOf([record], fields), { batch, bodyBytes: record.length })
    }
  }
}

const NOTHING_DECODED: DecodingSteps = [undefined]

/**
 * Request : `{"requestId":…,"timestamp":…,"records":[{"data":` Base64 `}…]}`. Yields the data of each record, and undefined after
 * each step of other members.
 */
function* recordsOf(reader: RequestJson): Generator<string | undefined, void> {
  let hasRecords = false
  for (const key of reader.members()) {
    if (key !== 'records') {
      yield* reader.rawInSteps()
      yield undefined
      continue
    }
    hasRecords = true
    for (const _ of reader.elements()) {
      yield yield* dataOf(reader)
    }
  }
  reader.end()
  if (!hasRecords) throw reader.error('it has no records')
}

/** Returns the data of a record: an empty string if it has none. */
function* dataOf(reader: RequestJson): Generator<undefined, string> {
  let data = ''
  for (const member of reader.members()) {
    if (member === 'data') data = reader.string('the data of a record')
    else {
      yield* reader.rawInSteps()
      yield undefined
    }
  }
  return data
}

/** Records of this size are converted together, without a pause, in a few milliseconds at most. */
const GROUP_RECORDS = 256
const GROUP_BYTES = 1 << 20

/**
 * Yields records in groups, in their order: a piece for each record would cost more than its conversion, and a call that
 * decompresses a single short record costs ten times as much as its share of a call for a group.
 */
function* groupsOf(
  records: Iterable<string | undefined>,
): Generator<readonly Buffer[] | undefined, void> {
  let group: Buffer[] = []
  let bytes = 0
  for (const data of records) {
    if (data === undefined) {
      yield undefined
      continue
    }
    const record = Buffer.from(data, 'base64')
    const size = statedSize(record)
    if (group.length === GROUP_RECORDS || (group.length > 0 && bytes + size > GROUP_BYTES)) {
      yield group
      group = []
      bytes = 0
    }
    group.push(record)
    bytes += size
  }
  if (group.length > 0) yield group
}

function isGzip(record: Buffer): boolean {
  return record[0] === 0x1f && record[1] === 0x8b
}

/** Returns the size of a record: of a gzip member, the uncompressed size, modulo 2^32, that ends it (RFC 1952). */
function statedSize(record: Buffer): number {
  if (!isGzip(record)) return record.length
  return record.length < MIN_GZIP ? 0 : record.readUInt32LE(record.length - 4)
}

const MIN_GZIP = 18

/**
 * Returns the records of a group uncompressed: decompresses them as the members of one gzip file, with each member's size from its
 * end. Returns undefined if the records have to be decompressed one by one: they are invalid or too long, or a record is not
 * exactly one member.
 */
function unpackedTogether(
  group: readonly Buffer[],
  limitBytes: number,
): readonly Buffer[] | undefined {
  if (group.length === 1) return undefined
  if (sizeOf(group) > Math.min(limitBytes, GROUP_BYTES)) return undefined
  const packed = group.filter(isGzip)
  if (packed.length === 0) return group
  const total = sizeOf(packed)
  let all: Buffer
  try {
    all = gunzipSync(Buffer.concat(packed), { maxOutputLength: total + 1 })
  } catch {
    return undefined
  }
  if (all.length !== total) return undefined
  let end = 0
  return group.map((record) => {
    if (!isGzip(record)) return record
    const start = end
    end += statedSize(record)
    return all.subarray(start, end)
  })
}

function sizeOf(group: readonly Buffer[]): number {
  return group.reduce((sum, record) => sum + statedSize(record), 0)
}

const unzip = promisify(gunzip)

/** Compressed records up to this length are decompressed at once. */
const SHORT_RECORD = 1024

/** Decompresses a record if it is compressed with gzip. Throws a `RefusedError` when it is longer than the limit. */
async function unpacked(data: Buffer, limitBytes: number): Promise<Buffer> {
  const isPacked = isGzip(data)
  if (!isPacked && data.length > limitBytes) throw tooLarge()
  if (!isPacked) return data
  // The option must be positive.
  const options = { maxOutputLength: Math.max(1, limitBytes) }
  try {
    // A thread takes as long as ten short records.
    return data.length <= SHORT_RECORD ? gunzipSync(data, options) : await unzip(data, options)
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw invalidRequest(`${FAILURE}: a record is not valid gzip data.`)
  }
}

function* linesOf(
  records: readonly Buffer[],
  fields: LineFields,
): Generator<string | undefined, void> {
  for (const record of records) {
    if (record.length === 0) yield undefined
    else yield* recordLines(record.toString(), fields)
  }
}

function* recordLines(record: string, fields: LineFields): Generator<string | undefined, void> {
  if (/^\s*\{/.test(record) && record.includes('"messageType"') && record.includes('"logEvents"')) {
    const reader = new RequestJson(record, 'A record has malformed log events of CloudWatch')
    while (reader.next() !== '') {
      yield* logEvents(reader, fields)
      yield undefined
    }
    return
  }
  for (let start = 0; start < record.length; ) {
    const lineFeed = record.indexOf('\n', start)
    const end = lineFeed === -1 ? record.length : lineFeed
    const line = record.slice(start, end).replace(/\r$/, '')
    const isBlank = line.trim() === ''
    yield isBlank ? undefined : eventOf({ fields, time: undefined, line })
    start = end + 1
  }
}

/** Log events of one stream: `{"messageType":"DATA_MESSAGE","logGroup":…,"logStream":…,"logEvents":[…]}` */
function* logEvents(reader: RequestJson, common: LineFields): Generator<string | undefined, void> {
  const found: LineField[] = []
  let events: JsonText | undefined
  let isData = false
  for (const key of reader.members()) {
    if (key === 'logEvents') events = yield* reader.rawInSteps()
    else if (key === 'messageType') isData = reader.string('the type') === 'DATA_MESSAGE'
    else if (key === 'subscriptionFilters') yield* reader.rawInSteps()
    else readField(reader, key, found)
  }
  // Control messages check that the destination is reachable.
  if (!isData || events === undefined) return
  const fields = lineFields(found, common)
  const inner = new RequestJson(events, 'A record has malformed log events of CloudWatch')
  for (const _ of inner.elements()) yield logEvent(inner, fields)
}

/** Event : `{"id":…,"timestamp":` Milliseconds `,"message":…}` */
function logEvent(reader: RequestJson, stream: LineFields): string {
  const found: LineField[] = []
  let time: JsonText | undefined
  let line = ''
  for (const key of reader.members()) {
    if (key === 'message') line = withoutLineFeeds(reader.string('a message'))
    else if (key === 'timestamp') time = milliseconds(reader)
    else readField(reader, key, found)
  }
  return eventOf({ fields: lineFields(found, stream), time, line })
}

/** Removes line feeds at the end. A regular expression would take quadratic time for line feeds inside the message. */
function withoutLineFeeds(message: string): string {
  let end = message.length
  while (message[end - 1] === '\n') end -= 1
  return message.slice(0, end)
}

function milliseconds(reader: RequestJson): JsonText {
  const raw = reader.short('a timestamp')
  if (!/^\d{1,15}$/.test(raw)) throw reader.error('a timestamp is not a number of milliseconds')
  return nanosecondTime(BigInt(raw) * 1_000_000n)
}

function tooLarge(): RefusedError {
  return new RefusedError(
    'too-large',
    'The records of the request are too large uncompressed. Lower the buffer size of the stream.',
  )
}

function encodeFailure(
  { body }: Parameters<EncodeError>[0],
  { headers }: ServiceRequest,
): ServiceResponse {
  const timestamp = Date.now()
  return response(body.code, { id: headers[REQUEST_ID], timestamp, errorMessage: body.message })
}

function response(
  status: number,
  { id = '', ...rest }: { id: string | undefined; timestamp: number; errorMessage?: string },
): ServiceResponse {
  return json(status, { requestId: id, ...rest })
}
