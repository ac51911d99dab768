import { BYTE_ORDER_MARK, isBlank, LINE_FEED, startsWithByteOrderMark } from '../../text/bytes.js'
import { chunksOf, type LineCounts, type Lines } from '../line-reader.js'

export async function countLines(source: Lines): Promise<LineCounts> {
  let bytes = 0
  let lines = 0
  let events = 0
  /** The state of the current line: it has bytes, and some that are not white space. */
  let isBegun = false
  let isFilled = false

  function endLine(): void {
    lines++
    if (isFilled) events++
    isFilled = false
  }

  for await (const chunk of chunksOf(source)) {
    let from = bytes === 0 && startsWithByteOrderMark(chunk) ? BYTE_ORDER_MARK.length : 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      isFilled ||= !isBlank(chunk, from, end)
      endLine()
      from = end + 1
    }
    isFilled ||= !isBlank(chunk, from, chunk.length)
    isBegun = chunk.at(-1) !== LINE_FEED
    bytes += chunk.length
  }
  if (isBegun) endLine()
  return { bytes, lines, events }
}
