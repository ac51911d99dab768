import { open } from 'node:fs/promises'
import type { Lines } from '../line-reader.js'
import { type LineScan, LineScanner } from './line-scanner.js'
import type { ScanSchema } from './scan-schema.js'

/** Scanners kept for reuse; further ones exist while they are in use. */
const MAX_IDLE = 4
const idle: LineScanner[] = []

/** Counts lines and, with a schema, examines whether they are plain events. */
export async function scanLines(lines: Lines, schema?: ScanSchema): Promise<LineScan> {
  const scanner = idle.pop() ?? new LineScanner()
  try {
    scanner.begin(schema)
    if (lines.kind === 'bytes') pushBytes(scanner, lines.bytes)
    else await pushFile(scanner, lines.path)
    return scanner.end()
  } finally {
    if (idle.length < MAX_IDLE) idle.push(scanner)
  }
}

function pushBytes(scanner: LineScanner, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    const count = bytes.copy(scanner.room, 0, at)
    scanner.push(count)
    at += count
  }
}

async function pushFile(scanner: LineScanner, path: string): Promise<void> {
  const file = await open(path)
  try {
    for (let position = 0; ; ) {
      const { room } = scanner
      const { bytesRead } = await file.read(room, 0, room.length, position)
      if (bytesRead === 0) return
      scanner.push(bytesRead)
      position += bytesRead
    }
  } finally {
    await file.close()
  }
}
