/** A line of a container's output, as the runtime writes it. */
export interface ContainerLine {
  /** RFC 3339. */
  readonly time: string
  /** `stdout` or `stderr`. */
  readonly stream: string
  /** The output of the program, in latin1, without a line end. */
  readonly text: string
  /** True when the runtime split a long line and the next record continues it. */
  readonly isPartial: boolean
  /** Further members as JSON. */
  readonly attributes?: string
}

/** A format in which container runtimes write the output of programs. */
export interface ContainerFormat {
  /** Parses a line in latin1; returns undefined for other text. */
  parse(line: string): ContainerLine | undefined
  /** Returns the beginning of what the program wrote, given the beginning of a line; undefined for other text. */
  head(line: string): string | undefined
  /** True when two lines, given their beginnings, may be of different streams. */
  isOtherStream(line: string, previous: string): boolean
  /** True when the next line continues a line with this beginning and end. */
  isPartial(head: string, tail: string): boolean
}
