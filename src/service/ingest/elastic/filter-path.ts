import { matchesWildcard } from '../../../text/wildcard.js'

/** Returns true for the paths of a response's members that the client wants. */
export type PathFilter = (path: readonly string[]) => boolean

/**
 * Compiles the query parameter `filter_path`: patterns separated by commas, in which `*` matches any part of a name and `**` any
 * number of names; patterns that begin with `-` exclude. A pattern that matches an object includes all of it.
 */
export function compileFilterPath(text: string): PathFilter {
  const patterns = text.split(',').filter(Boolean)
  const excluded = patterns.filter((one) => one.startsWith('-')).map((one) => one.slice(1))
  const included = patterns.filter((one) => !one.startsWith('-'))
  const isIncluded = included.length === 0 ? () => true : matcher(included)
  const isExcluded = matcher(excluded)
  return (path) => isIncluded(path) && !isExcluded(path)
}

function matcher(patterns: readonly string[]): PathFilter {
  // Several `**` in a row match the same paths as one, but in exponentially many ways.
  const wanted = patterns.map((pattern) =>
    pattern.split('.').filter((name, i, names) => name !== '**' || names[i - 1] !== '**'),
  )
  return (path) => wanted.some((names) => matches(names, path))
}

function matches([name, ...more]: readonly string[], path: readonly string[]): boolean {
  if (name === undefined) return true
  if (name === '**') return path.some((_, i) => matches(more, path.slice(i))) || more.length === 0
  const [first, ...rest] = path
  return first !== undefined && matchesWildcard(first, name) && matches(more, rest)
}
