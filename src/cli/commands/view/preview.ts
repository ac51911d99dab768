// The first and the last events of files, which are shown while the files are read. They are read like all events, but neither
// stored nor queried.

import { createReadStream, statSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { batches } from '../../../input/batches.js'
import { BufferPool } from '../../../input/buffer-pool.js'
import { NO_BYTES, withHead } from '../../../input/byte-source.js'
import { detectInput, type Input } from '../../../input/input.js'
import { POSITION_FIELDS } from '../../../input/mapping/source-fields.js'
import type { ReadOptions } from '../../../input/read-options.js'
import { LINE_FEED } from '../../../text/bytes.js'
import { lineFeeds } from '../../../wire/bytes/line-feeds.js'
import { classifyLine } from '../../../wire/event/classify-line.js'
import { fieldName } from '../../../wire/json/field-path.js'
import type { Leaf } from '../../../wire/json/json-line.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { instantOfRow } from './histogram.js'
import type { ViewRow } from './row.js'

/** The number of bytes from which the format is detected, the same as for an input that is read. */
const SAMPLE_BYTES = 256 * 1024
/** The number of bytes at an end of a file that are shown; the whole sample is shown when they have only few lines. */
const SHOWN_BYTES = 64 * 1024
const FEW_LINES = 100
const MAX_EVENTS = 500
/** More files have no preview: which of their events come first is known only after all files are read. */
const MAX_FILES = 20

/** The events at an end of the files. */
interface Preview {
  readonly rows: readonly ViewRow[]
  /** True when these are all events of the files. */
  readonly isWhole: boolean
}

interface PreviewOptions {
  readonly read: ReadOptions
  /** The field with the event time, if the user named one. */
  readonly timestampField: string | undefined
  readonly end: 'head' | 'tail'
}

/** Returns the events at an end of files; undefined when these are known only after everything is read. */
export async function previewFiles(
  files: readonly string[],
  options: PreviewOptions,
): Promise<Preview | undefined> {
  if (files.length > MAX_FILES) return undefined
  const parts: Preview[] = []
  for (const file of files) {
    const part = await partOf(file, options).catch((error: unknown) => {
      if (error instanceof Error) return undefined
      throw error
    })
    if (part === undefined) return undefined
    parts.push(part)
  }
  const isWhole = parts.every((part) => part.isWhole)
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return { rows: only.rows, isWhole }
  return { rows: merged(parts, options.end), isWhole }
}

async function partOf(file: string, { read, timestampField, end }: PreviewOptions) {
  const found = await readEnd(file, end)
  if (found === undefined) return undefined
  const form = await detectInput(
    { name: file, bytes: withHead(found.head, NO_BYTES), isLive: false },
    read,
  )
  const { contentType, sourceType } = form.framing
  // A part of a table or an array cannot be read without its beginning.
  const isOfLines = contentType === 'application/x-ndjson' && sourceType === undefined
  if (form.storedAs !== undefined || !isOfLines) return undefined
  const bytes = found.tail ?? found.head.subarray(form.start.offset)
  const shown = shownPart(bytes, end)
  const isWhole = found.isWhole && shown.length === bytes.length
  const lines = await eventLines({ ...form, bytes: withHead(shown, NO_BYTES) })
  // The first event of a tail may lack its first lines, and the last event of a head its last lines.
  if (!isWhole && end === 'tail') lines.splice(0, 1)
  if (!isWhole && end === 'head') lines.splice(-1, 1)
  // The line numbers of a tail are not known.
  const hasPosition = read.hasSourceFields !== true || end === 'head' || isWhole
  const kept = end === 'head' ? lines.slice(0, MAX_EVENTS) : lines.slice(-MAX_EVENTS)
  const rows = kept.flatMap(({ text, field }) => {
    const cells = cellsOf(text, timestampField ?? field)
    if (cells === undefined) return []
    if (!hasPosition) for (const name of POSITION_FIELDS) cells.delete(name)
    return [{ cells }]
  })
  return { rows, isWhole: isWhole && kept.length === lines.length }
}

/** Returns the lines at an end of the bytes, which are shown. */
function shownPart(bytes: Buffer, end: PreviewOptions['end']): Buffer {
  if (bytes.length <= SHOWN_BYTES) return bytes
  const part =
    end === 'head'
      ? bytes.subarray(0, bytes.lastIndexOf(LINE_FEED, SHOWN_BYTES) + 1)
      : bytes.subarray(bytes.indexOf(LINE_FEED, bytes.length - SHOWN_BYTES) + 1)
  return lineFeeds(part.toString('latin1'), 0, part.length) < FEW_LINES ? bytes : part
}

/** Returns the events of an input as JSON objects, and the fields of their times. */
async function eventLines(input: Input) {
  const lines: { readonly text: string; readonly field: string }[] = []
  const limits = { pool: new BufferPool(2 * SAMPLE_BYTES), maxEvents: 100_000, flushMs: 1_000 }
  for await (const item of batches(input, limits)) {
    if (item.kind !== 'batch') continue
    const field = item.timestampField ?? '_time'
    const texts = item.body.toString('utf8').split('\n')
    lines.push(...texts.filter((text) => text !== '').map((text) => ({ text, field })))
    item.release()
  }
  return lines
}

/** Reads whole lines at an end of a regular file; undefined for anything else. */
async function readEnd(file: string, end: PreviewOptions['end']) {
  const stats = statSync(file)
  // Opening a named pipe would block, and closing it again would end the program that writes to it.
  if (!stats.isFile()) return undefined
  const isWhole = stats.size <= SAMPLE_BYTES
  const head = await sampleAt(file, 0)
  if (isWhole) return { head, isWhole }
  const lines = head.subarray(0, head.lastIndexOf(LINE_FEED) + 1)
  if (lines.length === 0) return undefined
  if (end === 'head') return { head: lines, isWhole }
  const tail = await sampleAt(file, stats.size - SAMPLE_BYTES)
  return { head: lines, tail: tail.subarray(tail.indexOf(LINE_FEED) + 1), isWhole }
}

function sampleAt(file: string, start: number): Promise<Buffer> {
  const range = { start, end: start + SAMPLE_BYTES - 1, highWaterMark: SAMPLE_BYTES }
  return buffer(createReadStream(file, range))
}

function cellsOf(line: string, timestampField: string): Map<string, JsonText> | undefined {
  const found = classifyLine(line, { timestampField })
  if (found.kind !== 'event') return undefined
  const cells = new Map<string, JsonText>()
  const leaves = found.leaves.map((leaf) => ({ ...leaf, name: fieldName(leaf.path) }))
  // The fields have the same order as in results.
  leaves.sort((one, other) => (one.name < other.name ? -1 : 1))
  if (found.time !== undefined) cells.set('_time', `"${formatTimestamp(found.time)}"`)
  for (const leaf of leaves) {
    const { name } = leaf
    if (timestampField === '_time' && leaf.path.length === 1 && leaf.path[0] === '_time') continue
    if (leaf.form !== 'null' && leaf.form !== 'empty-object' && !cells.has(name)) {
      cells.set(name, jsonOf(leaf))
    }
  }
  return cells
}

function jsonOf({ form, text }: Leaf): JsonText {
  return form === 'string' ? JSON.stringify(text) : text
}

/** Merges ends of files by time. Keeps only events that are certain to follow each other, without an unread event in between. */
function merged(parts: readonly Preview[], end: PreviewOptions['end']): readonly ViewRow[] {
  const timeOf = (row: ViewRow | undefined): bigint => instantOfRow(row) ?? 0n
  const all = parts.flatMap(({ rows }) => rows.map((row) => ({ row, time: timeOf(row) })))
  const sorted = all.toSorted((one, other) => Number(one.time - other.time))
  const cut = parts.filter(({ isWhole }) => !isWhole)
  const edges = cut.map(({ rows }) => timeOf(rows.at(end === 'head' ? -1 : 0)))
  const kept = sorted.filter(({ time }) =>
    edges.every((edge) => (end === 'head' ? time <= edge : time >= edge)),
  )
  return kept.map(({ row }) => row)
}
