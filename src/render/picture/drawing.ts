/** A chart as markup of SVG. */
export interface Drawing {
  readonly markup: string
  /** The height at which it ends. */
  readonly bottom: number
  /** The chart in words, for readers who do not see it. */
  readonly description: string
}
