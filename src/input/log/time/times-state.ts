import type { LineTime } from './line-layout.js'

/** Facts about the times without a year that were read. Plain data. */
export interface TimesState {
  /** The first time, in seconds since 1970, if `--year` sets its year. */
  first: number | undefined
  /** The first and the last year that were chosen. */
  years: readonly [first: number, last: number] | undefined
  /** True when times went back by months. */
  goesBack: boolean
  /** The last time, in seconds since 1970. */
  last: number
}

export function newTimesState(): TimesState {
  return { first: undefined, years: undefined, goesBack: false, last: Number.NaN }
}

/** Returns a description with the years that were chosen so far for times without a year. */
export function withYears(found: LineTime, state: TimesState | undefined): LineTime {
  if (found.kind !== 'found' || state?.years === undefined) return found
  const { years, goesBack } = state
  return { ...found, years, ...(goesBack && { goesBack }) }
}
