import { open } from 'node:fs/promises'
import type { LineCounts, Lines } from '../../line-reader.js'
import { LineScanner } from './line-scanner.js'

/** Scanners kept for reuse. */
const idle: LineScanner[] = []

/** Counts lines. */
export async function countLines(lines: Lines): Promise<LineCounts> {
  const scanner = idle.pop() ?? new LineScanner()
  try {
    scanner.begin()
    if (lines.kind === 'bytes') pushBytes(scanner, lines.bytes)
    else await pushFile(scanner, lines.path)
    return scanner.end().counts
  } finally {
    idle.push(scanner)
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
