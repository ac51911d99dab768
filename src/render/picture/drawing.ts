/** A chart as SVG markup. */
export interface Drawing {
  readonly markup: string
  /** The y coordinate at which the chart ends. */
  readonly bottom: number
  /** The chart in words, for readers who do not see it. */
  readonly description: string
}
