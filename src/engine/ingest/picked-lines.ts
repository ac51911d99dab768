import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { BYTE_ORDER_MARK, LINE_FEED, startsWithByteOrderMark } from '../../text/bytes.js'
import { eachChunkOf } from '../line-reader.js'

/** Lines picked, in a few milliseconds, before other tasks may run. */
const LINES_AT_ONCE = 10_000

/** The text of a line; undefined when it is not UTF-8. */
type Line = string | undefined

/** Reads every line of a file whose number, from 0, is divisible by `step`. */
export async function pickLines(path: string, step: number): Promise<readonly Line[]> {
  const picked: Line[] = []
  let row = 0
  let begun: Buffer[] = []
  const end = (piece: Buffer): void => {
    if (row % step === 0)
      picked.push(textOf(Buffer.concat([...begun, piece]), { isFirst: row === 0 }))
    begun = []
    row++
  }
  const file = await open(path)
  try {
    await eachChunkOf(file, async (chunk) => {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        end(chunk.subarray(from, at))
        from = at + 1
        if (row % (step * LINES_AT_ONCE) === 0) await setImmediate()
      }
      // The next chunk overwrites this one.
      if (row % step === 0) begun.push(Buffer.from(chunk.subarray(from)))
    })
    if (begun.some(({ length }) => length > 0)) end(Buffer.alloc(0))
    return picked
  } finally {
    await file.close()
  }
}

function textOf(line: Buffer, { isFirst }: { readonly isFirst: boolean }): Line {
  const isMarked = isFirst && startsWithByteOrderMark(line)
  const bytes = isMarked ? line.subarray(BYTE_ORDER_MARK.length) : line
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}
