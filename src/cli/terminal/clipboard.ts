import type { Io } from '../io.js'

/** Longer texts are refused by terminals. */
const MOST_CHARACTERS = 74_000

/**
 * Returns the sequence that puts a text into the clipboard of the terminal (OSC 52), which works over ssh. Empty for a text that is
 * too long.
 */
export function clipboardSequence(text: string, env: Io['env']): string {
  const encoded = Buffer.from(text).toString('base64')
  if (encoded.length > MOST_CHARACTERS) return ''
  const sequence = `\x1b]52;c;${encoded}\x07`
  // tmux accepts the first form by default, and passes on the second one if `allow-passthrough` is set.
  return env.TMUX ? `${sequence}\x1bPtmux;\x1b${sequence}\x1b\\` : sequence
}
