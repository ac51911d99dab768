import type { Io } from '../context.js'

/** The maximum length of a text in base64: terminals reject longer texts. */
const MOST_CHARACTERS = 74_000

/**
 * Returns the sequence that copies a text to the clipboard of the terminal (OSC 52), which also works over ssh. Empty for a text
 * that is too long.
 */
export function clipboardSequence(text: string, env: Io['env']): string {
  const encoded = Buffer.from(text).toString('base64')
  if (encoded.length > MOST_CHARACTERS) return ''
  const sequence = `\x1b]52;c;${encoded}\x07`
  // By default, tmux accepts the first form. It passes on the second form if `allow-passthrough` is set.
  return env.TMUX ? `${sequence}\x1bPtmux;\x1b${sequence}\x1b\\` : sequence
}
