import { createHash } from 'node:crypto'
import type { CompiledQuery } from '../sql/compile.js'
import type { Found } from './run.js'

/** What results may take together, and what one of them may. */
const MOST_BYTES = 64 * 1024 * 1024
const LARGEST_BYTES = 8 * 1024 * 1024

interface Kept {
  readonly state: string
  readonly found: Found
  readonly bytes: number
}

/** Results of queries, each for one state of the events that it was made from; the least used ones go first. */
export class ResultCache {
  /** By the query; those that were used last are at the end. */
  private readonly kept = new Map<string, Kept>()
  private bytes = 0

  /** The result of a query over events that are as they were then. */
  find(query: CompiledQuery, state: string): Found | undefined {
    const key = keyOf(query)
    const kept = this.kept.get(key)
    if (kept === undefined) return undefined
    this.drop(key)
    // What it was made from has changed, and does not change back.
    if (kept.state !== state) return undefined
    this.put(key, kept)
    return kept.found
  }

  keep(query: CompiledQuery, state: string, found: Found): void {
    const key = keyOf(query)
    this.drop(key)
    const bytes = sizeOf(found)
    if (bytes > LARGEST_BYTES) return
    this.put(key, { state, found, bytes })
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= MOST_BYTES) break
      this.drop(oldest)
    }
  }

  private put(key: string, kept: Kept): void {
    this.kept.set(key, kept)
    this.bytes += kept.bytes
  }

  private drop(key: string): void {
    this.bytes -= this.kept.get(key)?.bytes ?? 0
    this.kept.delete(key)
  }
}

/** The statements hold all that a result comes of: instants, limits, the way that the fields are stored. */
function keyOf({ statement, matched }: CompiledQuery): string {
  const text = JSON.stringify([statement.text, matched?.text])
  return createHash('sha256').update(text).digest('base64')
}

/** What is kept beside the values: their names, the key. */
const OVERHEAD_BYTES = 1024

function sizeOf({ result }: Found): number {
  const values = [...result.bytes].map(([name, { length }]) => name.length + length)
  // Once they were read as text, they are kept twice.
  return 2 * values.reduce((sum, length) => sum + length, OVERHEAD_BYTES)
}
