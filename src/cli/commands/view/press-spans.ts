// The choice of two spans of the histogram, and what changed between them.
import { instantOfRow } from './histogram.js'
import { withPatternsOf } from './operators.js'
import { patternChanges, patternField, type Span } from './patterns.js'
import { clamp, selectedRow } from './rows.js'
import type { SpansPanel, State, Step } from './state.js'
import { moving, NO_PANEL, noting, only } from './step.js'

/** Begins to choose spans, at the bar of the selected row. */
export function openSpans(state: State): State {
  const { histogram, rows } = state
  if (histogram.value === undefined || patternField(rows) === undefined) {
    return noting(state, 'note', 'There are no times and messages to compare.')
  }
  const { start, step, bars } = histogram.value
  const at = instantOfRow(selectedRow(rows)) ?? start
  const bar = clamp(Math.floor(Number(at - start) / Number(step)), 0, bars.length - 1)
  const panel = { kind: 'spans', bar, ends: [] } as const
  return instructed({ ...state, isHistogramShown: true, panel }, panel)
}

function instructed(state: State, { ends }: SpansPanel): State {
  const texts = [
    '← → H L choose a time. Space: the span begins here. Enter: go there.',
    'Space: the span ends here.',
    'Space: a second span begins here. Enter: compare with all before.',
    'Space: the second span ends here, and is compared with the first one.',
  ]
  return noting(state, 'note', texts[ends.length] ?? '')
}

const FAR = 10

export function pressedInSpans(state: State, panel: SpansPanel, key: string): Step {
  const { value: histogram } = state.histogram
  if (histogram === undefined) return only({ ...state, panel: NO_PANEL })
  const at = (bar: number, ends = panel.ends): Step => {
    const next = { ...panel, bar: clamp(bar, 0, histogram.bars.length - 1), ends }
    return only(instructed({ ...state, panel: next }, next))
  }
  const span = (from: number, to: number): Span => [
    histogram.start + histogram.step * BigInt(Math.min(from, to)),
    histogram.start + histogram.step * BigInt(Math.max(from, to) + 1),
  ]
  const { bar, ends } = panel
  const [first, last] = ends
  switch (key) {
    case 'l':
    case 'Right':
      return at(bar + 1)
    case 'h':
    case 'Left':
      return at(bar - 1)
    case 'L':
    case 'PageDown':
      return at(bar + FAR)
    case 'H':
    case 'PageUp':
      return at(bar - FAR)
    case 'g':
    case 'Home':
      return at(0)
    case 'G':
    case 'End':
      return at(histogram.bars.length - 1)
    case ' ':
      if (ends.length < 3) return at(bar, [...ends, bar])
      return compared(state, span(first!, last!), span(ends[2]!, bar))
    case 'Enter': {
      if (first === undefined) {
        const [time] = span(bar, bar)
        return moving({ ...state, panel: NO_PANEL }, { kind: 'time', time })
      }
      const chosen = span(first, last ?? bar)
      const before: Span = [histogram.start, chosen[0]]
      if (before[0] === before[1]) {
        return only(
          noting(state, 'note', 'There is nothing before this span. Choose a second one.'),
        )
      }
      return compared(state, before, chosen)
    }
    case 'Escape':
    case 'q':
    case 'd':
      return only({ ...state, panel: NO_PANEL })
    case 'Ctrl-C':
      return { state, requests: [{ kind: 'quit' }] }
    default:
      return at(bar)
  }
}

/** Compares the messages of two spans; the earlier one is `before`. */
function compared(state: State, one: Span, other: Span): Step {
  const field = patternField(state.rows)
  if (field === undefined) return only({ ...state, panel: NO_PANEL })
  const [before, after] = one[0] <= other[0] ? [one, other] : [other, one]
  const text = patternChanges(field, before, after)
  return withPatternsOf({ ...state, panel: NO_PANEL }, text, { field, areCombined: false })
}
