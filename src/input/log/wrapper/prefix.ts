import type { WrappedLine, Wrapper } from './wrapper.js'

/** A wrapper that is a prefix of lines. */
export interface Prefix
  extends Pick<Wrapper, 'name' | 'title' | 'example' | 'accepts' | 'hasNumbers' | 'isWeak'> {
  /**
   * A regular expression for the text before the output of the program. The groups are fields with their names, except `time`,
   * which is a complete time in RFC 3339, `EPOCH_TIME` or `TAI_TIME`.
   */
  readonly pattern: string
  /** The fields that name the program. */
  readonly source?: readonly string[]
}

/** The milliseconds since 1970, as a group of a pattern. */
export const EPOCH_TIME = '(?<time>\\d{13})'
/** The seconds and nanoseconds of a time in TAI64N, as a group of a pattern. */
export const TAI_TIME = '(?<time>0{7}[\\da-f]{16})'

/** daemontools, runit and s6 count the seconds from 10 s before 1970. */
function fromTai(written: string): string {
  const seconds = Number.parseInt(written.slice(0, 15), 16) - 10
  const nanoseconds = String(Number.parseInt(written.slice(15), 16)).padStart(9, '0')
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${nanoseconds}Z`
}

export function prefixWrapper({ pattern, source = [], ...prefix }: Prefix): Wrapper {
  // By their number, because V8 takes long to create the object with the groups by their name.
  const names = [...pattern.matchAll(/\(\?<([a-z_]+)>/g)].map(([, name]) => name!)
  const timeGroup = names.indexOf('time') + 1
  const timeOf = pattern.includes(EPOCH_TIME)
    ? (written: string) => new Date(Number(written)).toISOString()
    : pattern.includes(TAI_TIME)
      ? fromTai
      : (written: string) => written.replace(' ', 'T')
  const fieldGroups = names.flatMap((name, at) =>
    name === 'time' ? [] : [{ name, group: at + 1 }],
  )
  // A name may stand in several alternatives.
  const sourceGroups = names.flatMap((name, at) => (source.includes(name) ? [at + 1] : []))
  // Groups with names take longer to match than groups with numbers.
  const unnamed = new RegExp(`^(?:${pattern.replaceAll(/\(\?<[a-z_]+>/g, '(')})`)
  // One program's name needs no list.
  const firstSource = sourceGroups.length === 1 ? sourceGroups[0]! : -1
  const sourceOf = (match: RegExpExecArray): string =>
    firstSource === -1
      ? sourceGroups.map((group) => match[group] ?? '').join('/')
      : (match[firstSource] ?? '')
  const parse = (line: string): WrappedLine | undefined => {
    const match = unnamed.exec(line)
    if (match === null) return undefined
    const fields: [string, string][] = []
    for (const { name, group } of fieldGroups) {
      const value = match[group]
      if (value) fields.push([name, value])
    }
    const written = timeGroup === 0 ? undefined : match[timeGroup]
    const time = written === undefined ? undefined : timeOf(written)
    // Without a spread, which takes V8 longer than the match.
    return { source: sourceOf(match), text: line.slice(match[0].length), fields, time }
  }
  const head = (line: string) => {
    const match = unnamed.exec(line)
    return match === null
      ? undefined
      : { source: sourceOf(match), text: line.slice(match[0].length) }
  }
  return { ...prefix, hasTime: timeGroup > 0, parse, head }
}
