/** A line of a program's output to which a runtime, a collector or a terminal tool has added a prefix or an envelope. */
export interface WrappedLine {
  /** The name of the program, each of which has its own format. */
  readonly source: string
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

/** A prefix or an envelope of each line of programs' output. */
export interface Wrapper {
  /** Identifies the wrapper in a checkpoint; also the prefix of its fields whose names the event has too. */
  readonly name: string
  /** The programs that write such lines. */
  readonly title: string
  /** A line as it is written. */
  readonly example: string
  /** Parses a line in latin1; returns undefined for other text. */
  parse(line: string): WrappedLine | undefined
  /** Returns the beginning of the program's output, given the beginning of a line; undefined for other text. */
  head(line: string): WrappedHead | undefined
  /** True when the next line continues a line with this beginning and end. */
  isPartial?(head: string, tail: string): boolean
  /** True when each line has a time. */
  readonly hasTime: boolean
  /** True when lines that seem to be wrapped are really output of programs. */
  accepts?(lines: readonly WrappedLine[]): boolean
  /** True when the fields are numbers. */
  readonly hasNumbers?: boolean
  /** True when ordinary lines may begin like this wrapper: it is detected only if the rest of the lines has a known format. */
  readonly isWeak?: boolean
}
