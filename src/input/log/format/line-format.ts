import type { Level } from '../level.js'

/** A layout in which programs write lines of logs. */
export interface LineFormat {
  /** The name, as a value of `-i`. */
  readonly name: string
  /** The programs that write lines in this format. */
  readonly title: string
  /** An event as it is written, of one or more lines. */
  readonly example: string
  /**
   * Grok patterns of an event, in the order of preference. `%{TIME:_time}` stands for any layout of times, `%{LEVEL:level}`
   * for a level, and `%{MESSAGE:message}` for the rest, which may have several lines. The value of a field that occurs several
   * times is the concatenation of its parts. `%{PAIRS:*}` makes a field of each `key=value`, `%{PAIRS:+}` of each `[key=value]`, `%{PAIRS:=}` of each line with a
   * key and a colon.
   */
  readonly patterns: readonly string[]
  /** The meaning of levels that are not common, or that have another meaning than usual. */
  readonly levels?: Readonly<Record<string, Level>>
  /**
   * Matches the beginnings of events; by default, an event begins with the text up to its time. If it is empty, each line that does
   * not continue an event begins one, because other lines are usual between the lines of the format.
   */
  readonly start?: string
  /**
   * The pattern of lines of other programs between the events. Without it, these lines continue the event before them; the
   * format is detected by its own events only.
   */
  readonly others?: string
  /** True when the program writes dates of numbers in the order month, day, year, in any country. */
  readonly isMonthFirst?: boolean
  /** True when quotes within a quoted value are doubled, as in CSV. */
  readonly hasDoubledQuotes?: boolean
  /** True when the first line of a log is enough to recognize it; later events may be few. */
  readonly isIdentifiedByFirstLine?: boolean
  /** True for a user-defined format: its patterns may be of any kind, and the layout of its times is inferred. */
  readonly isCustom?: boolean
}

/** A format as a row of a table whose keys are names. A single pattern needs no list. */
interface FormatRow extends Omit<LineFormat, 'name' | 'patterns'> {
  readonly patterns: string | readonly string[]
}

/** Formats by name, in the order of preference. A name is no number: JavaScript would put its key first. */
export type FormatsByName<Name extends string = string> = Readonly<Record<Name, LineFormat>>

export function formatsByName<Name extends string>(
  rows: Readonly<Record<Name, FormatRow>>,
): FormatsByName<Name> {
  const formats = Object.entries<FormatRow>(rows).map(([name, { patterns, ...row }]) => [
    name,
    { ...row, name, patterns: [patterns].flat() },
  ])
  return Object.fromEntries(formats)
}
