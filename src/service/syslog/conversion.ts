import { runInTurns, type Steps } from '../../wire/steps/steps.js'
import type { ConvertSyslog, SyslogEvents, SyslogMessages } from './messages.js'

/** The maximum number and size of the messages that are converted in one step. */
const STEP_MESSAGES = 1024
const STEP_BYTES = 16 * 1024

/** Converts messages in turns with other work. */
export function convertInTurns(
  messages: SyslogMessages,
  options: { readonly convert: ConvertSyslog; readonly now: bigint },
): Promise<SyslogEvents> {
  return runInTurns(convertInSteps(messages, options))
}

function* convertInSteps(
  { bytes, extents }: SyslogMessages,
  { convert, now }: { readonly convert: ConvertSyslog; readonly now: bigint },
): Steps<SyslogEvents> {
  const lines: Buffer[] = []
  let unmatched = 0
  for (let first = 0; first < extents.length; ) {
    const from = extents[first]!
    const fits = (next: number): boolean =>
      next < extents.length &&
      next - first < 2 * STEP_MESSAGES &&
      extents[next + 1]! - from < STEP_BYTES
    let next = first + 2
    while (fits(next)) next += 2
    const slice = {
      bytes: bytes.subarray(from, extents[next - 1]),
      extents: extents.slice(first, next).map((at) => at - from),
    }
    const converted = convert(slice, now)
    lines.push(converted.lines)
    unmatched += converted.unmatched
    first = next
    yield
  }
  return { lines: Buffer.concat(lines), unmatched }
}
