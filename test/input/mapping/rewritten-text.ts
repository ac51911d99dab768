import { editedText, type Rewriter } from '../../../src/input/mapping/edit.js'

/** Returns the text of one event as a rewriter changes it. */
export function rewrittenText(text: string, rewrite: Rewriter | undefined): string {
  const event = { from: 0, to: Buffer.byteLength(text) }
  return editedText(text, rewrite?.(Buffer.from(text))(event, 0) ?? [])
}
