// Keys that move the selection in a list of fields, values or bars.
import { clamp } from './rows.js'

/** The keys for each move; the far ones move by a page. */
type ListKeys = Readonly<
  Record<'next' | 'previous' | 'farNext' | 'farPrevious' | 'first' | 'last', readonly string[]>
>

const ENDS = { first: ['g', 'Home'], last: ['G', 'End'] }

export const VERTICAL: ListKeys = {
  next: ['j', 'Down'],
  previous: ['k', 'Up'],
  farNext: [' ', 'PageDown'],
  farPrevious: ['b', 'PageUp'],
  ...ENDS,
}

/** The keys of a list that typed text filters. */
export const SCROLLING: ListKeys = {
  next: ['Down'],
  previous: ['Up'],
  farNext: ['PageDown'],
  farPrevious: ['PageUp'],
  first: ['Home'],
  last: ['End'],
}

export const HORIZONTAL: ListKeys = {
  next: ['l', 'Right'],
  previous: ['h', 'Left'],
  farNext: ['L', 'PageDown'],
  farPrevious: ['H', 'PageUp'],
  ...ENDS,
}

/** Returns the index of the element that a key selects; undefined for a key that does not move. */
export function movedTo(
  key: string,
  { next, previous, farNext, farPrevious, first, last }: ListKeys,
  { index, count, page }: Readonly<Record<'index' | 'count' | 'page', number>>,
): number | undefined {
  const at = (place: number) => clamp(place, 0, count - 1)
  if (next.includes(key)) return at(index + 1)
  if (previous.includes(key)) return at(index - 1)
  if (farNext.includes(key)) return at(index + page)
  if (farPrevious.includes(key)) return at(index - page)
  if (first.includes(key)) return at(0)
  return last.includes(key) ? at(count - 1) : undefined
}
