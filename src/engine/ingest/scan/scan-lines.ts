import { open } from 'node:fs/promises'
import pLimit from 'p-limit'
import type { Lines } from '../../line-reader.js'
import { ColumnFile, type ColumnTarget } from './column-file.js'
import { type LineScan, LineScanner } from './line-scanner.js'
import type { ScanSchema } from './scan-schema.js'

/** Scans of files at a time: while one reads, the other examines lines. Each has megabytes of memory. */
const fileScans = pLimit(2)
/** Scanners kept for reuse; one for lines in memory is needed only between two reads. */
const idle: LineScanner[] = []

/** The result of a scan, and the file of columns when all lines were written as columns. */
export interface FileScan extends LineScan {
  readonly columns?: string
}

/** Counts lines and, with a schema, examines whether they are plain events. The lines of a file are written as columns to a target. */
export async function scanLines(
  lines: Lines,
  schema?: ScanSchema,
  target?: ColumnTarget,
): Promise<FileScan> {
  return lines.kind === 'bytes'
    ? scanBytes(lines.bytes, schema)
    : await fileScans(() => scanFile(lines.path, schema, target))
}

/** Does the same for lines in memory. */
export function scanBytes(bytes: Buffer, schema?: ScanSchema): LineScan {
  const scanner = taken()
  scanner.begin(schema)
  for (let at = 0; at < bytes.length; ) {
    const count = bytes.copy(scanner.room, 0, at)
    scanner.push(count)
    at += count
  }
  const scan = scanner.end()
  release(scanner)
  return scan
}

async function scanFile(
  path: string,
  schema: ScanSchema | undefined,
  target: ColumnTarget | undefined,
): Promise<FileScan> {
  const file = await open(path)
  const scanner = taken()
  const columns = new ColumnFile(schema?.output === undefined ? undefined : target)
  try {
    scanner.begin(schema, target?.arrivedAt)
    for (let position = 0; ; ) {
      const { room } = scanner
      const { bytesRead } = await file.read(room, 0, room.length, position)
      if (bytesRead === 0) break
      scanner.push(bytesRead)
      await columns.write(scanner.columns)
      position += bytesRead
    }
    const scan = scanner.end()
    await columns.write(scanner.columns)
    const written = await columns.finish(scan)
    return { ...scan, columns: written }
  } finally {
    await columns.discard()
    release(scanner)
    await file.close()
  }
}

function taken(): LineScanner {
  return idle.pop() ?? new LineScanner()
}

function release(scanner: LineScanner): void {
  idle.push(scanner)
}
