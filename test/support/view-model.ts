// The model of the view without a service.
import type { ViewOperator } from '../../src/cli/commands/view/query.js'
import type { ReadingState } from '../../src/cli/commands/view/state.js'
import { type Event, type Request, startState } from '../../src/cli/commands/view/state.js'
import { update } from '../../src/cli/commands/view/update.js'
import { UTC } from '../../src/wire/time/time-zone.js'

/** The model, and what it asks for. */
export function modelOf({
  reading: state0,
  isByTime = false,
  operators = [],
}: {
  reading?: ReadingState
  isByTime?: boolean
  operators?: readonly ViewOperator[]
}) {
  const source = state0 === undefined ? "['logs']" : ''
  let state = startState({
    ...{
      size: { columns: 80, rows: 24 },
      title: 'logs',
      labels: new Map(),
      zone: UTC,
      now: () => 0n,
      reading: state0,
    },
    query: { source, operators, isByTime },
  })
  const happen = (event: Event): readonly Request[] => {
    const step = update(state, event)
    state = step.state
    return step.requests
  }
  return {
    get state() {
      return state
    },
    happen,
    /** Returns the kinds of the requests after an event. */
    kinds: (event: Event) => happen(event).map(({ kind }) => kind),
    press: (name: string) =>
      happen({ kind: 'key', press: { kind: 'key', name } }).map(({ kind }) => kind),
  }
}
