import type { Readable, Writable } from 'node:stream'

/** The world outside, passed in: what a command reads, where it writes, and what it is told about both. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean; readonly fd?: number }
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  now(): number
}

export type Output = Writable & {
  readonly isTTY?: boolean
  /** The terminal's width. */
  readonly columns?: number
}
