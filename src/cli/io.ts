import type { Readable, Writable } from 'node:stream'

/** The world outside, passed in: what a command reads, where it writes, and what it is told about both. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean; readonly fd?: number }
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  now(): number
  /** Starts a program, given as a shell command, that shows what it is fed on this standard output. */
  readonly openPager?: (command: string) => Promise<Pager>
}

/** Standard output or standard error: a terminal, a pipe or a file. */
export type Output = Writable & {
  readonly isTTY?: boolean
  /** The terminal's size, in characters. */
  readonly columns?: number
  readonly rows?: number
}

/** A program that shows a long text a screen at a time. */
export interface Pager {
  readonly input: Writable
  /** Resolves with its exit code when its user has had enough. */
  readonly ended: Promise<number>
}
