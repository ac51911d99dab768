/** Returns up to `most` known names that are similar to `name`, most similar first. */
export function nearest(name: string, known: readonly string[], most = 3): readonly string[] {
  const ranked: { readonly name: string; readonly distance: number }[] = []
  for (const candidate of known) {
    const distance = distanceBetween(name, candidate)
    if (distance !== undefined) ranked.push({ name: candidate, distance })
  }
  return ranked
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map((entry) => entry.name)
}

/** Returns the known name most similar to `name`; undefined if none is similar. */
export function closest(name: string, known: readonly string[]): string | undefined {
  return nearest(name, known, 1)[0]
}

/** Returns the sentence that suggests the known name most similar to `name`; `otherwise` if none is similar. */
export function suggestion(name: string, known: readonly string[], otherwise: string): string {
  const near = closest(name, known)
  return near === undefined ? otherwise : `Did you mean \`${near}\`?`
}

/** Returns the edit distance of two names, ignoring case; undefined if they are not similar. */
function distanceBetween(written: string, known: string): number | undefined {
  const a = written.toLowerCase()
  const b = known.toLowerCase()
  if (a === b) return 0
  // An abbreviation without vowels: `cnt` for `count`, `lvl` for `level`.
  if (a.length > 2 && a === b.charAt(0) + b.slice(1).replace(/[aeiou]/g, '')) return 1
  const longer = Math.max(a.length, b.length)
  const allowed = longer < 3 ? 0 : Math.max(1, Math.floor(longer / 3))
  const distance = Math.abs(a.length - b.length) > allowed ? Infinity : edits(a, b)
  if (distance <= allowed) return distance
  // A truncated name, or its last part alone: `stat` for `status`, `city` for `geo.city`.
  const part = a.length > 2 && (b.startsWith(a) || b.endsWith(`.${a}`) || b.endsWith(`_${a}`))
  return part ? allowed + 1 : undefined
}

/** Returns the number of insertions, deletions, substitutions and transpositions of neighbors. */
function edits(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced)
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (exchanged) least = Math.min(least, beforeLast[j - 2]! + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
