// A file of the journal: entries, each with a description as JSON and a block of rows.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'

const { O_CREAT, O_DSYNC, O_EXCL, O_WRONLY } = constants

/** Rows of a dataset in ClickHouse's format `Native`, with the values of their batches in columns. */
export interface JournalRows {
  readonly dataset: string
  /** The fields added to each event, as members of a JSON object without braces. */
  readonly labels: string | undefined
  /** The sequence numbers of the lines that the rows are from. */
  readonly first: bigint
  readonly last: bigint
  readonly rows: number
  /** The batches with an id. */
  readonly named: readonly { readonly hash: bigint; readonly rows: number }[]
  readonly block: Buffer
}

/** A file of the journal, and the rows in it that are durable. */
export interface Segment {
  readonly path: string
  file: FileHandle | undefined
  bytes: number
  /** The entries that are not stored yet. */
  entries: JournalRows[]
  /** True when entries that may have been acknowledged can't be read. */
  readonly isDamaged: boolean
}

export function newSegment(folder: string): Segment {
  // In the order of their names.
  const path = join(folder, `${Date.now()}-${randomUUID()}`)
  return { path, file: undefined, bytes: 0, entries: [], isDamaged: false }
}

/** In front of the description and the block of an entry: a checksum of both, their sizes, and a checksum of these 12 bytes. */
const HEAD_BYTES = 16
/** A disk writes a sector as a whole. */
const SECTOR_BYTES = 512

/** Resolves when the rows are durable in the file of the segment. */
export async function appendRows(segment: Segment, rows: readonly JournalRows[]): Promise<void> {
  const bytes = Buffer.concat(rows.map(encodeRows))
  if (segment.file === undefined) {
    segment.file = await open(segment.path, O_WRONLY | O_CREAT | O_EXCL | O_DSYNC, 0o600)
    await syncFolder(dirname(segment.path))
  }
  try {
    for (let at = 0; at < bytes.length; ) at += (await segment.file.write(bytes, at)).bytesWritten
  } catch (error) {
    // The first of the entries may be complete. After a crash, it would be stored although its batches were refused.
    await segment.file.truncate(segment.bytes).catch(() => {})
    throw error
  }
  segment.bytes += bytes.length
}

/** Removes a stored segment. It must not come back after a power failure, when its events may have been deleted. */
export async function removeSegment({ path }: Segment): Promise<void> {
  await rm(path, { force: true })
  await syncFolder(dirname(path))
}

/** Makes the names of the files in a folder durable. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

/** Returns a segment that an earlier process left. */
export async function readSegment(path: string): Promise<Segment> {
  const bytes = await readFile(path)
  const size = bytes.findLastIndex((byte) => byte !== 0) + 1
  const writtenSize = Math.min(Math.ceil(size / SECTOR_BYTES) * SECTOR_BYTES, bytes.length)
  const entries: JournalRows[] = []
  let isDamaged = false
  for (let at = 0; at < size && at + HEAD_BYTES <= bytes.length; ) {
    const start = at + HEAD_BYTES
    const isHead = crc32(bytes.subarray(at, start - 4)) === bytes.readUInt32LE(start - 4)
    const length = isHead ? bytes.readUInt32LE(at + 4) : 0
    const end = isHead ? start + length + bytes.readUInt32LE(at + 8) : start
    const content = bytes.subarray(start, end)
    const isEntry = isHead && end <= bytes.length && crc32(content) === bytes.readUInt32LE(at)
    // The last entry may be incomplete, or end in zeros after a power failure: its batches were not acknowledged.
    isDamaged = !isEntry && end <= writtenSize
    if (!isEntry) break
    entries.push(decodeRows(content.toString('utf8', 0, length), content.subarray(length)))
    at = end
  }
  return { path, file: undefined, bytes: bytes.length, entries, isDamaged }
}

function encodeRows({ block, ...described }: JournalRows): Buffer {
  const description = Buffer.from(JSON.stringify(described, written))
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(crc32(block, crc32(description)))
  head.writeUInt32LE(description.length, 4)
  head.writeUInt32LE(block.length, 8)
  head.writeUInt32LE(crc32(head.subarray(0, 12)), 12)
  return Buffer.concat([head, description, block])
}

function decodeRows(description: string, block: Buffer): JournalRows {
  return { ...JSON.parse(description, read), block }
}

/** The members of descriptions with 64-bit integers, which JSON has as strings. */
const INTEGERS = new Set(['first', 'last', 'hash'])

function written(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function read(key: string, value: unknown): unknown {
  return INTEGERS.has(key) ? BigInt(value as string) : value
}
