// Short names of files, which distinguish the events of several files.
import { width } from '../../../text/width.js'

/** Short names of one width, by the names of the files in their events; empty for a single file. */
export type FileLabels = ReadonlyMap<string, string>

const MOST_CHARACTERS = 16
/** Longer names lose the leading parts that all of them share. */
const FEW_CHARACTERS = 10

/** Returns the distinguishing part of each name. */
export function fileLabels(files: readonly string[]): FileLabels {
  if (files.length < 2) return new Map()
  const bases = files.map((file) => file.slice(file.lastIndexOf('/') + 1))
  const parts = areDistinct(bases) ? bases : distinguishing(files, /(\/)/)
  const labels = shortened(distinguishing(parts, /([-_.])/))
  const columns = Math.max(...labels.map(width))
  return new Map(
    files.map((file, index) => {
      const label = labels[index]!
      return [file, label + ' '.repeat(columns - width(label))]
    }),
  )
}

function areDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}

/** Returns names without the trailing parts that all of them share, and long names also without such leading parts. */
function distinguishing(names: readonly string[], separator: RegExp): readonly string[] {
  // The separators are elements, too; each follows a part.
  const parts = names.map((name) => name.split(separator))
  const most = Math.min(...parts.map(({ length }) => length))
  const reversed = parts.map((name) => name.toReversed())
  const end = wholePairs(sharedLength(reversed, most))
  const rest = parts.map((name) => name.slice(0, name.length - end))
  const joined = rest.map((name) => name.join(''))
  if (Math.max(...joined.map((name) => name.length)) <= FEW_CHARACTERS) return joined
  const shared = sharedLength(rest, most - end)
  // `log` and `log.1` would say less than `app.log` and `app.log.1`.
  const start = shared === most - end ? 0 : wholePairs(shared)
  return rest.map((name) => name.slice(start).join(''))
}

function wholePairs(length: number): number {
  return length - (length % 2)
}

/** Returns the number of parts at the start that are the same in all paths. */
function sharedLength(paths: readonly (readonly string[])[], most: number): number {
  const [first = []] = paths
  let length = 0
  while (length < most && paths.every((path) => path[length] === first[length])) length += 1
  return length
}

/** Cuts long names at the end, or at the start when they would not be distinct otherwise. */
function shortened(names: readonly string[]): readonly string[] {
  const cut = names.map((name) => cutTo(name, (long) => `${long.slice(0, MOST_CHARACTERS - 1)}…`))
  if (areDistinct(cut)) return cut
  return names.map((name) => cutTo(name, (long) => `…${long.slice(1 - MOST_CHARACTERS)}`))
}

function cutTo(name: string, shorter: (long: string) => string): string {
  return name.length > MOST_CHARACTERS ? shorter(name) : name
}
