// Handles keys while two spans of the histogram are chosen, and compares them.
import { during, type Span } from './apl-text.js'
import { type Histogram, instantOfRow } from './histogram.js'
import { HORIZONTAL, movedTo } from './list-keys.js'
import { added, withPatternsOf } from './operators.js'
import { patternChanges, patternText } from './patterns.js'
import { clamp, selectedRow } from './rows.js'
import { hiddenReason, type SpansPanel, type State } from './state.js'
import { moving, NO_PANEL, noting } from './step.js'

/** Begins to choose spans, at the bar of the selected row. */
export function openSpans(state: State): State {
  const { histogram, rows } = state
  const hidden = hiddenReason(state)
  if (hidden !== undefined) return noting(state, hidden)
  if (histogram.value === undefined) return noting(state, 'There are no times.')
  const time = instantOfRow(selectedRow(rows)) ?? histogram.value.start
  const bar = barAt(histogram.value, time)
  const panel = { kind: 'spans', bar, ends: [] } as const
  return instructed({ ...state, isHistogramShown: true, panel }, panel)
}

/** Returns a choice whose bars stay at their times when the events are counted again. */
export function rebased(panel: SpansPanel, before: Histogram, after: Histogram): SpansPanel {
  const at = (bar: number) => barAt(after, before.start + before.step * BigInt(bar))
  return { ...panel, bar: at(panel.bar), ends: panel.ends.map(at) }
}

/** Returns the index of the bar with a time, or the closest one. */
function barAt({ start, step, bars }: Histogram, time: bigint): number {
  return clamp(Math.floor(Number(time - start) / Number(step)), 0, bars.length - 1)
}

function instructed(state: State, { ends }: SpansPanel): State {
  const texts = [
    '← → H L choose a time. Space: a span begins here. =: only this time. Enter: go there.',
    'Space: the span ends here. =: only this span.',
    'Space: a second span begins here. =: only the first one. Enter: compare with all events before.',
    'Space: the second span ends here, and is compared with the first one.',
  ]
  return noting(state, texts[ends.length] ?? '')
}

const FAR = 10

export function pressedInSpans(state: State, panel: SpansPanel, key: string): State | undefined {
  const { value: histogram } = state.histogram
  if (histogram === undefined) return { ...state, panel: NO_PANEL }
  const { bar, ends } = panel
  const at = (next: SpansPanel): State => instructed({ ...state, panel: next }, next)
  const place = { index: bar, count: histogram.bars.length, page: FAR }
  const moved = movedTo(key, HORIZONTAL, place)
  if (moved !== undefined) return at({ ...panel, bar: moved })
  switch (key) {
    case ' ': {
      const [first, last, second] = ends
      if (second === undefined) return at({ ...panel, ends: [...ends, bar] })
      return compared(state, spanOf(histogram, first!, last!), spanOf(histogram, second, bar))
    }
    case '=': {
      const [first = bar, last = bar] = ends
      const span = spanOf(histogram, first, last)
      return added({ ...state, panel: NO_PANEL }, `where ${during(span)}`)
    }
    case 'Enter':
      return entered(state, panel, histogram)
    case 'd':
      return { ...state, panel: NO_PANEL }
    default:
      return undefined
  }
}

/** Goes to the time of the selected bar, or compares the chosen span with all events before it. */
function entered(state: State, { bar, ends }: SpansPanel, histogram: Histogram): State {
  const [first, last = bar] = ends
  if (first === undefined) {
    const [time] = spanOf(histogram, bar, bar)
    return moving({ ...state, panel: NO_PANEL }, { kind: 'time', time })
  }
  const chosen = spanOf(histogram, first, last)
  if (chosen[0] === histogram.start) {
    return noting(state, 'There is nothing before this span. Choose a second one.')
  }
  return compared(state, [histogram.start, chosen[0]], chosen)
}

/** Returns the time of the bars from one to another, given in any order. */
function spanOf({ start, step }: Histogram, from: number, to: number): Span {
  return [start + step * BigInt(Math.min(from, to)), start + step * BigInt(Math.max(from, to) + 1)]
}

/** Compares the messages of two spans; the earlier one is `before`. */
function compared(state: State, one: Span, other: Span): State {
  const text = patternText(state.rows)
  if (text === undefined) return noting(state, 'There are no messages to compare.')
  const [before, after] = one[0] <= other[0] ? [one, other] : [other, one]
  const changes = patternChanges(text, before, after)
  return withPatternsOf({ ...state, panel: NO_PANEL }, changes, { text, areCombined: false })
}
