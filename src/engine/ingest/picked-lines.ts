import { setImmediate } from 'node:timers/promises'
import { LINE_FEED } from '../../text/bytes.js'
import { chunksOf, type Lines, lineText } from '../line-reader.js'

/** Lines picked, in a few milliseconds, before other tasks may run. */
const LINES_AT_ONCE = 10_000

/** Returns every line whose number, from 0, is divisible by `step`; undefined for a line that is not UTF-8. */
export async function pickLines(
  lines: Lines,
  step: number,
): Promise<readonly (string | undefined)[]> {
  const picked: (string | undefined)[] = []
  let row = 0
  /** The pieces of a line to pick whose end is in a later chunk. */
  let begun: Buffer[] = []
  const pick = (end: Buffer): void => {
    const line = begun.length === 0 ? end : Buffer.concat([...begun, end])
    picked.push(lineText(line, { isFirst: row === 0 }))
    begun = []
  }
  for await (const chunk of chunksOf(lines)) {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      if (row % step === 0) pick(chunk.subarray(from, at))
      row++
      from = at + 1
      if (row % (step * LINES_AT_ONCE) === 0) await setImmediate()
    }
    if (row % step === 0 && from < chunk.length) begun.push(Buffer.from(chunk.subarray(from)))
  }
  if (begun.length > 0) pick(Buffer.alloc(0))
  return picked
}
