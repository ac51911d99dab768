import type { Redact } from '../client/redaction.js'
import type { ExitCode } from './exit-code.js'
import type { Io } from './io.js'

/** What every command is handed: the world, the flags they all take, and how to speak to the user. */
export interface Context {
  readonly io: Io
  /** The flags that all commands share, as they stand on the command line. */
  readonly flags: () => Flags
  /** A summary or a hint, as one line on stderr; silent with `-q`. `look` colours what may be shown of it. */
  info(text: string, look?: (text: string) => string): void
  /** Something cut, partial or estimated, as one line on stderr; said with `-q` too. */
  warn(text: string): void
  /** What is being done, as one line on stderr; only with `-v`. */
  debug(text: string): void
  /** Applies to everything that is written to stderr from now on: it removes the secrets of a connection. */
  hide(redact: Redact): void
  /** Sets the exit code the program ends with. */
  finish(code: ExitCode): void
}

/** The flags that all commands share. */
export interface Flags {
  readonly url?: string
  readonly ingestUrl?: string
  readonly orgId?: string
  readonly tokenFile?: string
  readonly profile?: string
  readonly proxy?: string
  readonly caFile?: string
  /** Milliseconds. */
  readonly timeout?: number
  readonly dataDir?: string
  readonly quiet?: boolean
  /** 1 with `-v`, 2 with `-vv`. */
  readonly verbose?: number
  readonly color?: 'auto' | 'always' | 'never'
  readonly jsonErrors?: boolean
  readonly debug?: boolean
}
