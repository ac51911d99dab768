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
  // By their number, because V8 takes long to create the object with the groups by their name.
  const names = [...pattern.source.matchAll(/\(\?<([a-z_]+)>/g)].map(([, name]) => name!)
  const timeGroup = names.indexOf('time') + 1
  const fieldGroups = names.flatMap((name, at) =>
    name === 'time' ? [] : [{ name, group: at + 1 }],
  )
  const sourceGroups = source.map((name) => names.indexOf(name) + 1)
  const headOf = (line: string, match: RegExpExecArray) => ({
    source: sourceGroups.map((group) => match[group] ?? '').join('/'),
    text: line.slice(match[0].length),
  })
  const parse = (line: string): WrappedLine | undefined => {
    const match = pattern.exec(line)
    if (match === null) return undefined
    const fields: [string, string][] = []
    for (const { name, group } of fieldGroups) {
      const value = match[group]
      if (value) fields.push([name, value])
    }
    const time = timeGroup === 0 ? undefined : match[timeGroup]?.replace(' ', 'T')
    return { ...headOf(line, match), fields, time }
  }
  const head = (line: string) => {
    const match = pattern.exec(line)
    return match === null ? undefined : headOf(line, match)
  }
  return { ...prefix, hasTime: timeGroup > 0, parse, head }
}
