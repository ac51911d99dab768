import type { Redact } from '../../client/redaction.js'
import { escapeControls } from '../../render/escape-controls.js'
import { wrapText } from '../../text/wrap.js'
import type { Context, Flags, Output } from '../context.js'

interface Messages extends Pick<Context, 'info' | 'warn' | 'debug' | 'attach' | 'hide'> {
  /** Removes the hidden secrets from a text. */
  redacted: Redact
  /** Returns the held messages, for the JSON of a failure. */
  held(): readonly string[]
  /** Returns the members that were added to the JSON on stderr; undefined when no member was added. */
  attached(): Readonly<Record<string, unknown>> | undefined
  release(): void
}

interface MessagesOptions {
  readonly stderr: Output
  readonly flags: () => Flags
  /** True to hold all messages, so that a failure is the only output on stderr. */
  readonly hold: boolean
}

/** Returns messages that are written to stderr, or held until the command ends. */
export function openMessages({ stderr, flags, hold }: MessagesOptions): Messages {
  let lines: string[] = []
  let members: Readonly<Record<string, unknown>> | undefined
  const hidden: Redact[] = []
  const redacted: Redact = (text) => hidden.reduce((shown, redact) => redact(shown), text)
  function line(text: string, layOut: (shown: string) => string): void {
    // A message may quote an event or a response, which is untrusted text.
    const shown = escapeControls(redacted(text))
    if (hold) lines.push(shown)
    else stderr.write(`${layOut(shown)}\n`)
  }
  const fitted = (text: string) => wrapText(text, stderr.columns)
  return {
    info(text, look = unchanged) {
      if (!flags().quiet) line(text, (shown) => look(fitted(shown)))
    },
    warn: (text) => line(text, fitted),
    debug(text) {
      if ((flags().verbose ?? 0) > 0) line(text, unchanged)
    },
    attach(more) {
      if (hold) members = { ...members, ...more }
      return hold
    },
    attached: () => members,
    hide: (redact) => void hidden.push(redact),
    redacted,
    held: () => lines,
    release() {
      for (const text of lines) stderr.write(`${text}\n`)
      lines = []
    },
  }
}

const unchanged = (text: string): string => text

/** Returns a function that prints each message only once. */
export function eachOnce(print: (text: string) => void): (text: string) => void {
  const seen = new Set<string>()
  return (text) => {
    if (!seen.has(text)) print(text)
    seen.add(text)
  }
}
