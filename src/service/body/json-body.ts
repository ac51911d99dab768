import { pipeline } from 'node:stream/promises'
import { createGunzip, createInflate, type Gunzip, type Inflate } from 'node:zlib'
import { BYTE_ORDER_MARK, startsWithByteOrderMark } from '../../text/bytes.js'
import { formatInteger } from '../../text/integer.js'
import { errorCode } from '../../text/system-error.js'
import { parseExactJson } from '../../wire/json/exact-json.js'
import { MAX_TOKENS } from '../../wire/limits.js'
import { decompressZstd, HTTP_ZSTD } from '../../wire/zstd/zstd.js'
import { ZstdError } from '../../wire/zstd/zstd-header.js'
import type { ServiceRequest } from '../http.js'
import { SMALL_BODY_BYTES } from '../limits.js'
import { invalidRequest, RefusedError } from '../refused-error.js'

/**
 * Yields the body of a request, uncompressed, as it arrives. Throws a `RefusedError` as soon as it exceeds
 * `limitBytes`, regardless of its declared length. A body in one of `ownEncodings` is not decompressed: the caller decodes it. The
 * buffers belong to the caller.
 */
export async function* readBody(
  request: ServiceRequest,
  limitBytes: number,
  {
    ownEncodings = [],
    tooLarge = () => bodyTooLarge(limitBytes),
  }: {
    readonly ownEncodings?: readonly string[] | undefined
    readonly tooLarge?: () => RefusedError
  } = {},
): AsyncGenerator<Buffer, void> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  const decode = ownEncodings.includes(encoding) ? unchanged : DECODERS.get(encoding)
  if (decode === undefined) throw unknownEncoding(encoding)
  const declared = Number(request.headers['content-length'] ?? 0)
  if (decode === unchanged && declared > limitBytes) throw tooLarge()
  let bytes = 0
  for await (const piece of decode(request.body)) {
    bytes += piece.length
    if (bytes > limitBytes) throw tooLarge()
    yield piece
  }
}

export async function wholeBody(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Returns a body that is text, without the byte order mark that .NET and PowerShell write in front of it. */
export async function wholeText(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const bytes = await wholeBody(body)
  return startsWithByteOrderMark(bytes) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes
}

/** Reads a body as JSON. Integers are not rounded. An empty body has the value `ifEmpty`, and is invalid without it. */
export async function readJson(
  request: ServiceRequest,
  limitBytes = SMALL_BODY_BYTES,
  { ifEmpty }: { readonly ifEmpty?: object } = {},
): Promise<unknown> {
  const tooLarge = () => bodyTooLarge(limitBytes, SHORTER_JSON)
  const body = await wholeBody(readBody(request, limitBytes, { tooLarge }))
  return body.length === 0 && ifEmpty !== undefined ? ifEmpty : parsed(body)
}

function parsed(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // JSON.parse is fast for any input, the exact parser is not: excessive bodies are rejected first.
    rejectExcessive(JSON.parse(text))
    return parseExactJson(text)
  } catch (error) {
    if (error instanceof RefusedError) throw error
    // The only RangeError here is stack overflow.
    if (error instanceof RangeError) throw tooDeep()
    throw invalidRequest('The request body is not valid JSON.')
  }
}

/** The maximum nesting depth. Recursive readers and writers use a stack frame per level; real requests stay far below. */
const MAX_DEPTH = 200

/** The maximum number of values: query parameters and filter trees become parts of the query text. */
const MAX_VALUES = MAX_TOKENS

/** Throws a `RefusedError` when a value is too deep or too large. Not recursive, because recursion could overflow the stack. */
function rejectExcessive(value: unknown): void {
  let level = [value]
  let values = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw tooDeep()
    values += level.length
    if (values > MAX_VALUES) throw tooManyValues()
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
  }
}

function tooDeep(): RefusedError {
  return invalidRequest(`The request body is nested more than ${MAX_DEPTH} levels deep.`)
}

function tooManyValues(): RefusedError {
  return invalidRequest(
    `The request body has more than ${formatInteger(MAX_VALUES)} values, including those in arrays and objects. ${SHORTER_JSON}`,
  )
}

const SHORTER_JSON = 'Store a long list as a dataset, and query it with `in`.'

type Decoder = (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer>

const unchanged: Decoder = (body) => body

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['identity', unchanged],
  // An SDK of the hosted service sends the number that it uses for `identity` internally.
  ['1', unchanged],
  ['gzip', (body) => unpackZlib(body, createGunzip(), 'gzip')],
  ['x-gzip', (body) => unpackZlib(body, createGunzip(), 'gzip')],
  // The format of zlib (RFC 9110, 8.4.1.2).
  ['deflate', (body) => unpackZlib(body, createInflate(), 'deflate')],
  ['zstd', unpackZstd],
])

async function* unpackZlib(
  body: AsyncIterable<Buffer>,
  decoder: Gunzip | Inflate,
  name: string,
): AsyncGenerator<Buffer, void> {
  const invalid = () =>
    invalidRequest(`The request body is not valid ${name} data, or is truncated.`)
  const received = { bytes: 0 }
  const fed = pipeline(countedBody(body, received), decoder)
  // Errors are reported when the reader gets there; a reader that stops early ignores them.
  fed.catch(() => {})
  try {
    for await (const piece of decoder) yield piece as Buffer
    await fed
  } catch (error) {
    const code = errorCode(error)
    throw code?.startsWith('Z_') || code === ENDED_EARLY ? invalid() : error
  }
  // Node ignores what follows the end of `deflate` data in the same piece.
  if (decoder.bytesWritten < received.bytes) throw invalid()
}

/** Yields a body, and counts its bytes. */
export async function* countedBody(
  body: AsyncIterable<Buffer>,
  received: { bytes: number },
): AsyncGenerator<Buffer, void> {
  for await (const piece of body) {
    received.bytes += piece.length
    yield piece
  }
}

/** The code of Node when the compressed data ends before the body does. */
const ENDED_EARLY = 'ERR_STREAM_PREMATURE_CLOSE'

async function* unpackZstd(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* decompressZstd(body, HTTP_ZSTD)
  } catch (error) {
    throw error instanceof ZstdError ? invalidRequest(ZSTD_FAILURES[error.kind]) : error
  }
}

const INVALID = 'The request body is not valid zstd data, or is truncated.'

const ZSTD_FAILURES = {
  truncated: INVALID,
  corrupted: INVALID,
  window: 'The request body is zstd data with a window larger than 8 MiB, the maximum for HTTP.',
  dictionary: 'The request body is zstd data compressed with a dictionary, which is not supported.',
  blocks:
    'The request body is zstd data in too many small frames or blocks. Send it as one frame, and flush the compressor less often.',
} as const satisfies Record<ZstdError['kind'], string>

function unknownEncoding(encoding: string): RefusedError {
  return new RefusedError(
    'unsupported-media-type',
    `The content encoding \`${encoding}\` is not supported. Supported: \`gzip\`, \`zstd\`, \`deflate\` and \`identity\`.`,
  )
}

export function bodyTooLarge(
  limitBytes: number,
  remedy = 'Send several smaller requests.',
): RefusedError {
  const limit = (limitBytes / (1024 * 1024)).toFixed(limitBytes % (1024 * 1024) === 0 ? 0 : 2)
  return new RefusedError(
    'too-large',
    `The request body is larger than ${limit} MiB uncompressed. ${remedy}`,
  )
}
