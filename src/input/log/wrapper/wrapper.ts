/** A line that a runtime, a collector or a terminal tool has put something in front of. */
export interface WrappedLine {
  /** Names the program: the lines of each are read by a format of their own. */
  readonly source: string
  /** The values that the wrapper has, by the name of the field. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** A complete time, in RFC 3339. */
  readonly time?: string
  /** The output of the program, in latin1, without a line end. */
  readonly text: string
  /** True when the runtime split a long line and the next record continues it. */
  readonly isPartial?: boolean
  /** Further members as JSON. */
  readonly attributes?: string
}

/** The output of a program, given only the beginning of its line. */
export type WrappedHead = Pick<WrappedLine, 'source' | 'text'>

/** Something in front of each line of a program's output. */
export interface Wrapper {
  /** Identifies it in a checkpoint, and names fields whose usual name an event has itself. */
  readonly name: string
  /** The programs that write it, and a line as they do. */
  readonly title: string
  readonly example: string
  /** Parses a line in latin1; returns undefined for other text. */
  parse(line: string): WrappedLine | undefined
  /** Returns the beginning of what the program wrote, given the beginning of a line; undefined for other text. */
  head(line: string): WrappedHead | undefined
  /** True when the next line continues a line with this beginning and end. */
  isPartial?(head: string, tail: string): boolean
  /** True when each line says its time. */
  readonly hasTime: boolean
  /** True when lines in front of which it seems to be are those of a program. */
  accepts?(lines: readonly WrappedLine[]): boolean
  /** True when it is like the beginning of ordinary lines: it is one only if what follows has a format of its own. */
  readonly isWeak?: boolean
}
