// Keys that move through the rows.
import { instantText } from '../../query/quoted-name.js'
import { containing } from './apl-text.js'
import { aplOf, isPaged } from './query.js'
import { endCursor } from './row.js'
import { awaitedCursor, selectedRow } from './rows.js'
import { IDLE, linesOf, type Rows, type State, type Step, type Target } from './state.js'
import { moving, noting, only, selecting } from './step.js'

export function toStart(state: State): Step {
  const { hasStart, loading } = state.rows
  if (hasStart && loading.other === undefined) return only(selecting(state, 0))
  return moving({ ...state, rows: { ...state.rows, isPreview: false } }, { kind: 'start' }, 0)
}

export function toEnd(state: State): Step {
  const { rows, reading, query } = state
  const isHeld = rows.hasEnd && rows.items.length > 0 && rows.loading.other === undefined
  // A dataset may have more events by now.
  if (isHeld && (reading !== undefined || !isPaged(query)))
    return only(selecting(state, rows.items.length - 1))
  const isUnfiltered = aplOf(state.query) === aplOf({ ...state.query, operators: [] })
  if (reading?.isDone === false && isUnfiltered) {
    const loading = { ...IDLE, other: { place: { kind: 'end' } } } as const
    const next = { ...state, rows: { ...rows, loading } }
    return { state: next, requests: [{ kind: 'preview', end: 'tail' }] }
  }
  return toLastRead(state)
}

/** Goes to the last row that has been read so far. */
export function toLastRead(state: State): Step {
  const rows = { ...state.rows, isPreview: false }
  return moving({ ...state, rows }, { kind: 'end' }, linesOf(state) - 1)
}

export function finding(state: State, operator: string, { what, direction }: Target): Step {
  const { generation, query, rows } = state
  if (!isPaged(query)) return only(noting(state, 'note', 'Rows of a table are not searched.'))
  const origin = originOf(rows, direction)
  const within = origin.within === undefined ? operator : `${origin.within} | ${operator}`
  const { from } = origin
  const find = { kind: 'find', generation, query, operator: within, what, direction, from } as const
  return {
    state: {
      ...noting(state, 'note', `Searching ${what} …`),
      sought: { request: find, isOpen: true },
    },
    requests: [find],
  }
}

/** Returns where a search begins: at a row, or at a time that has been chosen and whose rows have not been read yet. */
function originOf(
  rows: Rows,
  direction: Target['direction'],
): { readonly from: string | undefined; readonly within?: string } {
  const place = rows.loading.other?.place
  if (place?.kind === 'time') {
    const within = `where _time ${direction === 'next' ? '>=' : '<'} ${instantText(place.time)}`
    return { from: undefined, within }
  }
  const row = selectedRow(rows)
  const selected = row && (direction === 'next' ? endCursor(row) : row.cursor)
  return { from: awaitedCursor(rows) ?? selected }
}

/** Finds the text that was searched last. */
export function searched(state: State, direction: Target['direction']): Step {
  const { search } = state
  if (search === undefined)
    return only(noting(state, 'note', 'Nothing has been searched yet: `/` searches.'))
  return finding(state, `where ${containing(search)}`, { what: `\`${search}\``, direction })
}

/** Goes to the last row, and stays there as events arrive. */
export function followed(state: State): Step {
  const { state: moved, requests } = toEnd({ ...state, isFollowing: true })
  return { state: moved, requests: [...requests, { kind: 'follow' }] }
}

/** Looks for new events of a dataset. */
export function looked(state: State): Step {
  const { isFollowing, reading, rows, query } = state
  if (!isFollowing || reading !== undefined || rows.loading.other !== undefined) return only(state)
  return moving(state, { kind: isPaged(query) ? 'end' : 'start' })
}

/** Folds bursts of similar events into one row each, or unfolds them. */
export function refolded(state: State): Step {
  const { rows, isFolded, query } = state
  const cursor = selectedRow(rows)?.cursor
  if (cursor === undefined || !isPaged(query)) {
    return only(noting(state, 'note', 'Only events are folded.'))
  }
  const first = undefined
  return moving(
    { ...state, isFolded: !isFolded, rows: { ...rows, first } },
    { kind: 'around', cursor },
  )
}
