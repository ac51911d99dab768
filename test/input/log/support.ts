import { parseTimestamp } from '../../../src/wire/time/timestamp.js'
import { bodies, type CutOptions, cut, type Seen, unsendable } from '../support.js'

export const NOW = parseTimestamp('2026-03-01T12:00:00Z')!

/** Returns the events of a log as JSON, and its errors. */
export async function read(input: string | Buffer, options: CutOptions) {
  const seen = await cut(input, { now: NOW, ...options })
  return {
    events: bodies(seen).flatMap((body) => body.split('\n').filter((line) => line !== '')),
    problems: unsendable(seen).map(({ start, reason }) => `${start.line}: ${reason}`),
    unmatched: batchesOf(seen).flatMap(({ unmatched }) => unmatched ?? []),
  }
}

/** Returns the only event of a line. */
export async function event(line: string | Buffer, options: CutOptions): Promise<unknown> {
  const { events, problems } = await read(line, options)
  if (events.length !== 1) throw new Error(`${events.length} events, ${problems.join(', ')}`)
  return JSON.parse(events[0]!)
}

export function batchesOf(seen: Awaited<ReturnType<typeof cut>>): Seen[] {
  return seen.flatMap((item) => (item.kind === 'batch' ? [item] : []))
}
