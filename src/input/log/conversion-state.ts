import type { LastTime } from './last-time.js'
import type { LineTime } from './time/line-layout.js'
import { newTimesState, type TimesState } from './time/times-state.js'

/**
 * The facts about the records read so far that the reading of further records depends on. Plain data, so that another
 * thread can continue with it.
 */
export interface ConversionState {
  /** Describes the first time; in syslog the first time without a zone or a year. */
  firstTime: LineTime | undefined
  /** The state of the times in each layout, by the id of the layout. */
  readonly times: Map<string, TimesState>
  /** The names of the fields found so far. */
  readonly fields: Set<string>
  readonly last: LastTime
}

export function newConversionState(): ConversionState {
  return {
    firstTime: undefined,
    times: new Map(),
    fields: new Set(),
    last: { time: undefined, isLive: false },
  }
}

export function timesStateOf({ times }: ConversionState, layout: string): TimesState {
  const state = times.get(layout) ?? newTimesState()
  times.set(layout, state)
  return state
}

/** Describes the first time, with the years that were chosen so far for times without a year; undefined until there is one. */
export function firstTimeOf({ firstTime, times }: ConversionState): LineTime | undefined {
  if (firstTime?.kind !== 'found') return firstTime
  const { years, goesBack } = times.get(firstTime.layout) ?? newTimesState()
  return years === undefined ? firstTime : { ...firstTime, years, ...(goesBack && { goesBack }) }
}
