import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { LINE_FEED } from '../../text/bytes.js'
import type { LineRange, Segment } from './scan-segment.js'

/** A file of NDJSON whose first event begins at an offset in bytes. */
export interface InputFile {
  readonly path: string
  readonly start: number
}

export interface InputSegment extends Segment {
  /** The index of its file; -1 for lines in a file of their own. */
  readonly file: number
}

interface SegmentOptions extends Pick<Segment, 'arrivedAt'> {
  /** The folder for the columns. */
  readonly directory: string
  /** The least length of a segment, and the most segments. */
  readonly segmentBytes: number
  readonly maxSegments: number
  /** True when a segment may have the lines of several files. */
  readonly joins: boolean
}

/** The number of events that are read to find out the fields; the store does the same with the first batch of a dataset. */
export const SAMPLED_EVENTS = 1_000
const SAMPLED_BYTES = 4 * 1024 * 1024
/** A length that most lines do not reach. */
const LINE_BYTES = 16 * 1024

export function columnsPath(directory: string, index: number): string {
  return join(directory, `${index}.columns`)
}

/** Returns the lines of the first events of a file; an empty list when there are none, or the first line is very long. */
export function firstLines(file: InputFile): readonly string[] {
  const bytes = Buffer.allocUnsafe(SAMPLED_BYTES)
  const length = withFile(file, (source) => readSync(source, bytes, 0, bytes.length, file.start))
  const end = length < SAMPLED_BYTES ? length : bytes.lastIndexOf(LINE_FEED) + 1
  const lines = bytes.toString('utf8', 0, end).split('\n', SAMPLED_EVENTS)
  return lines.filter((line) => line.trim() !== '')
}

/** Divides files into segments of whole lines. Throws when a file can't be read. */
export function segmentsOf(
  files: readonly InputFile[],
  { segmentBytes, maxSegments, joins, directory, arrivedAt }: SegmentOptions,
): InputSegment[] {
  const ends = files.map((file) => withFile(file, (source) => fstatSync(source).size))
  const bytes = files.reduce((sum, { start }, i) => sum + ends[i]! - start, 0)
  const most = Math.max(segmentBytes, Math.ceil(bytes / maxSegments))
  const segments: InputSegment[] = []
  /** The ranges of the last segment in further files. */
  let others: LineRange[] = []
  let before = 0
  for (const [file, input] of files.entries()) {
    const { path } = input
    const fileEnd = ends[file]!
    for (const { start, end } of rangesOf(input, { fileEnd, most })) {
      // A line has at least one byte.
      const sequence = before + start - input.start
      const first = segments.at(-1)
      if (joins && first !== undefined && sequence + end - start - first.sequence <= most) {
        others.push({ path, start, end })
        continue
      }
      others = []
      const target = columnsPath(directory, segments.length)
      segments.push({ file, path, start, end, others, target, sequence, arrivedAt })
    }
    before += fileEnd - input.start + 1
  }
  return segments
}

/** Returns ranges of whole lines, each of which ends with the first line that ends after `most` bytes. */
function rangesOf(
  file: InputFile,
  { fileEnd, most }: { readonly fileEnd: number; readonly most: number },
): readonly Pick<Segment, 'start' | 'end'>[] {
  return withFile(file, (source) => {
    const ranges: Pick<Segment, 'start' | 'end'>[] = []
    for (let { start } = file; start < fileEnd; ) {
      const end = start + most >= fileEnd ? fileEnd : lineEnd(source, start + most, fileEnd)
      ranges.push({ start, end })
      start = end
    }
    return ranges
  })
}

/** Returns the position after the first line feed from a position on. */
function lineEnd(source: number, from: number, fileEnd: number): number {
  const bytes = Buffer.allocUnsafe(LINE_BYTES)
  for (let at = from; at < fileEnd; ) {
    const read = readSync(source, bytes, 0, bytes.length, at)
    const found = bytes.subarray(0, read).indexOf(LINE_FEED)
    if (found !== -1) return at + found + 1
    if (read === 0) break
    at += read
  }
  return fileEnd
}

function withFile<Result>({ path }: InputFile, use: (source: number) => Result): Result {
  const source = openSync(path, 'r')
  try {
    return use(source)
  } finally {
    closeSync(source)
  }
}
