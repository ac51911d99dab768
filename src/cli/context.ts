import { fstatSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { Redact } from '../client/redaction.js'
import type { ExitCode } from './exit-code.js'
import type { ConnectionSettingName } from './settings/connection-settings.js'

/** The environment of a command: streams, shared flags, and messages to the user. */
export interface Context {
  readonly io: Io
  readonly flags: () => Flags
  /** Prints a summary or a hint as one line on stderr, unless `-q` is set. `look` colors the text after control characters are escaped. */
  info(text: string, look?: (text: string) => string): void
  /** Prints a warning as one line on stderr, even with `-q`: for results that are truncated, partial or estimated. */
  warn(text: string): void
  /** Prints a detail of the progress as one line on stderr, only with `-v`. */
  debug(text: string): void
  /**
   * Adds members to the JSON object on stderr, with `--json-errors`. Returns false when stderr is text, so that the caller prints
   * them.
   */
  attach(members: Readonly<Record<string, unknown>>): boolean
  /** Removes secrets from everything that is written to stderr from now on. */
  hide(redact: Redact): void
  /** Sets the exit code of the program, which is 0 by default. */
  finish(code: ExitCode): void
}

type ConnectionFlags = { readonly [Name in ConnectionSettingName]?: string }

/** The flags that all commands share. */
export interface Flags extends ConnectionFlags {
  readonly profile?: string
  /** Milliseconds. */
  readonly timeout?: number
  readonly dataDir?: string
  /** Milliseconds. */
  readonly keepWarm?: number
  readonly quiet?: boolean
  /** 1 with `-v`, 2 with `-vv`. */
  readonly verbose?: number
  readonly color?: 'auto' | 'always' | 'never'
  readonly jsonErrors?: boolean
  readonly debug?: boolean
}

/** The environment of the program, passed in: its streams, variables and clock. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean; readonly fd?: number }
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  now(): number
  /** Starts a pager, given as a shell command, on this standard output. */
  readonly openPager?: (command: string) => Promise<Pager>
  /** Starts an editor, given as a shell command, on a file. Resolves with its exit code when the user closes it. */
  readonly openEditor?: (command: string, file: string) => Promise<number>
}

/** Standard output or standard error: a terminal, a pipe or a file. */
export type Output = Writable & {
  readonly isTTY?: boolean
  /** The descriptor of an output of the process. Once a piece is written to a descriptor, its buffer may be reused. */
  readonly fd?: number
  /** The terminal's size, in characters. */
  readonly columns?: number
  readonly rows?: number
  /**
   * The terminal itself, for a line editor and a spinner, whose cursor movements `write` would escape. All text written to it must
   * be safe for a terminal.
   */
  readonly unfiltered?: Output
}

/** A program that shows a long text one screen at a time. */
export interface Pager {
  readonly input: Writable
  /** Resolves with the exit code when the user closes the pager. */
  readonly ended: Promise<number>
}

/** Returns the clock of the environment, in nanoseconds since 1970. */
export function clock({ now }: Pick<Io, 'now'>): () => bigint {
  return () => BigInt(Math.round(now() * 1000)) * 1000n
}

/** True when standard input is a pipe or a file; false for a terminal and for devices such as `/dev/null`. */
export function hasInput({ stdin }: Pick<Io, 'stdin'>): boolean {
  if (stdin.isTTY) return false
  if (stdin.fd === undefined) return true
  try {
    const stats = fstatSync(stdin.fd)
    return stats.isFIFO() || stats.isSocket() || stats.isFile()
  } catch {
    // Standard input was closed before the start.
    return false
  }
}
