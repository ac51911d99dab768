/** A layout in which programs write lines of logs. */
export interface LineFormat {
  /** The name that `-i` takes. */
  readonly name: string
  /** The programs that write it. */
  readonly title: string
  /** Events as they are written, each of one or more lines. */
  readonly examples: readonly string[]
  /**
   * Grok patterns of an event, in the order of preference. `%{TIME:_time}` stands for any layout of times, `%{LEVEL:level}`
   * for a level, and `%{MESSAGE:message}` for the rest, which may have several lines.
   */
  readonly patterns: readonly string[]
  /** True for a format of the user: its patterns are of any kind, and the layout of its times is inferred. */
  readonly isCustom?: boolean
}
