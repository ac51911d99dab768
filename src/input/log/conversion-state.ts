import type { LineTime } from './time/line-layout.js'
import { newTimesState, type TimesState } from './time/times-state.js'

/**
 * The findings from the records that were read, on which reading the next ones depends. Plain data, so that another
 * thread can continue with it.
 */
export interface ConversionState {
  /** Describes the first time; in syslog the first one without a zone or a year. */
  firstTime: LineTime | undefined
  /** By the id of their layout. */
  readonly times: Map<string, TimesState>
  /** The names of the fields that events have had. */
  readonly fields: Set<string>
}

export function newConversionState(): ConversionState {
  return { firstTime: undefined, times: new Map(), fields: new Set() }
}

/** Returns the state of the times in a layout. */
export function timesStateOf({ times }: ConversionState, layout: string): TimesState {
  const state = times.get(layout) ?? newTimesState()
  times.set(layout, state)
  return state
}
