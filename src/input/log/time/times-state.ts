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
