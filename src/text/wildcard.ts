/**
 * Returns true when a name matches a pattern, in which each `*` stands for any text. Takes linear time; a regular
 * expression could take exponential time.
 */
export function matchesWildcard(name: string, pattern: string): boolean {
  const [first = '', ...pieces] = pattern.split('*')
  const last = pieces.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let from = first.length
  for (const piece of pieces) {
    const at = name.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return from + last.length <= name.length
}
