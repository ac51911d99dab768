import type { WrappedLine, Wrapper } from './wrapper.js'

/** A wrapper that is a prefix of lines. */
interface Prefix extends Pick<Wrapper, 'name' | 'title' | 'example' | 'accepts' | 'isWeak'> {
  /**
   * Matches the text before the output of the program. The groups are fields with their names, except `time`, which is a
   * complete time in RFC 3339.
   */
  readonly pattern: RegExp
  /** The fields that name the program. */
  readonly source?: readonly string[]
}

/** Returns the wrapper of lines with a prefix. */
export function prefixWrapper({ pattern, source = [], ...prefix }: Prefix): Wrapper {
  const parse = (line: string): WrappedLine | undefined => {
    const match = pattern.exec(line)
    if (match === null) return undefined
    const { time, ...groups } = match.groups ?? {}
    const fields = Object.entries(groups).filter(([, value]) => value !== undefined && value !== '')
    return {
      source: source.map((name) => groups[name] ?? '').join('/'),
      fields: fields as [string, string][],
      time: time?.replace(' ', 'T'),
      text: line.slice(match[0].length),
    }
  }
  return { ...prefix, hasTime: pattern.source.includes('(?<time>'), parse, head: parse }
}
