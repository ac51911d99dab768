import { open } from 'node:fs/promises'
import type { Lines } from '../line-reader.js'
import { type LineScan, LineScanner } from './line-scanner.js'
import type { ScanSchema } from './scan-schema.js'

/** Scanners kept for reuse; further ones exist while they are in use. */
const MAX_IDLE = 4
const idle: LineScanner[] = []

/** Counts lines and, with a schema, examines whether they are plain events. */
export async function scanLines(lines: Lines, schema?: ScanSchema): Promise<LineScan> {
  return lines.kind === 'bytes'
    ? scanBytes(lines.bytes, schema)
    : await scanFile(lines.path, schema)
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

async function scanFile(path: string, schema: ScanSchema | undefined): Promise<LineScan> {
  const file = await open(path)
  const scanner = taken()
  try {
    scanner.begin(schema)
    for (let position = 0; ; ) {
      const { room } = scanner
      const { bytesRead } = await file.read(room, 0, room.length, position)
      if (bytesRead === 0) return scanner.end()
      scanner.push(bytesRead)
      position += bytesRead
    }
  } finally {
    release(scanner)
    await file.close()
  }
}

function taken(): LineScanner {
  return idle.pop() ?? new LineScanner()
}

function release(scanner: LineScanner): void {
  if (idle.length < MAX_IDLE) idle.push(scanner)
}
