import type { Redact } from '../client/redaction.js'
import type { ExitCode } from './exit-code.js'
import type { Io } from './io.js'
import type { ConnectionSettingName } from './settings/connection-settings.js'

/** The environment of a command: streams, shared flags, and messages to the user. */
export interface Context {
  readonly io: Io
  /** The flags of the command line that all commands share. */
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
  /** Sets the exit code of the program. */
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
