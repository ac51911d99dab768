import type { Redact } from '../../client/redaction.js'
import { escapeControls } from '../../render/escape-controls.js'
import { wrapText } from '../../text/wrap.js'
import type { Context, Flags } from '../context.js'
import type { Output } from '../io.js'

/** What is said on stderr beside the result. */
interface Messages extends Pick<Context, 'info' | 'warn' | 'debug' | 'hide'> {
  /** A text without the secrets that are hidden. */
  redacted: Redact
  /** What was held back, so that a failure can carry it. */
  held(): readonly string[]
  /** Says what was held back. */
  release(): void
}

interface MessagesOptions {
  readonly stderr: Output
  readonly flags: () => Flags
  /** Holds everything back: a failure must then be the only thing on stderr. */
  readonly hold: boolean
}

/** Writes lines on stderr, or holds them until it is known whether the command failed. */
export function openMessages({ stderr, flags, hold }: MessagesOptions): Messages {
  let lines: string[] = []
  const hidden: Redact[] = []
  const redacted: Redact = (text) => hidden.reduce((shown, redact) => redact(shown), text)
  function line(text: string, layOut: (shown: string) => string): void {
    // A message may quote an event or a service's answer, which are other people's text.
    const shown = escapeControls(redacted(text))
    if (hold) lines.push(shown)
    else stderr.write(`${layOut(shown)}\n`)
  }
  const fitted = (text: string) => wrapText(text, stderr.columns)
  return {
    info(text, look = asItIs) {
      if (!flags().quiet) line(text, (shown) => look(fitted(shown)))
    },
    warn: (text) => line(text, fitted),
    debug(text) {
      if ((flags().verbose ?? 0) > 0) line(text, asItIs)
    },
    hide: (redact) => void hidden.push(redact),
    redacted,
    held: () => lines,
    release() {
      for (const text of lines) stderr.write(`${text}\n`)
      lines = []
    },
  }
}

const asItIs = (text: string): string => text
