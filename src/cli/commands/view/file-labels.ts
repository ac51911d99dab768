// Short names of files, which distinguish the events of several files.
import { width } from '../../../text/width.js'

/** Short names of one width, by the names of the files in their events; empty for a single file. */
export type FileLabels = ReadonlyMap<string, string>

const MOST_CHARACTERS = 16
/** Longer names lose the words that all of them share. */
const FEW_CHARACTERS = 10

/** Returns the shortest distinguishing part of each name, without an extension that all of them have. */
export function fileLabels(files: readonly string[]): FileLabels {
  if (files.length < 2) return new Map()
  const bases = files.map((file) => file.slice(file.lastIndexOf('/') + 1))
  const parts = areDistinct(bases) ? bases : distinguishingPaths(files)
  const labels = shortened(distinguishingWords(withoutExtension(parts)))
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

/** Returns paths without the leading and the trailing parts that all of them share. */
function distinguishingPaths(files: readonly string[]): readonly string[] {
  const paths = files.map((file) => file.split('/'))
  const most = Math.min(...paths.map(({ length }) => length)) - 1
  const start = sharedLength(paths, most)
  const end = sharedLength(
    paths.map((path) => path.toReversed()),
    most - start,
  )
  return paths.map((path) => path.slice(start, path.length - end).join('/'))
}

/** Returns long names without the leading and the trailing words that all of them share. */
function distinguishingWords(names: readonly string[]): readonly string[] {
  if (Math.max(...names.map((name) => name.length)) <= FEW_CHARACTERS) return names
  // The separators are elements, too; each follows a word.
  const words = names.map((name) => name.split(/([-_.])/))
  const most = Math.min(...words.map(({ length }) => length))
  const shared = sharedLength(words, most)
  // `log` and `log.1` would say less than `app.log` and `app.log.1`.
  const start = shared === most ? 0 : wholePairs(shared)
  const reversed = words.map((name) => name.toReversed())
  const end = wholePairs(sharedLength(reversed, most - start))
  return words.map((name) => name.slice(start, name.length - end).join(''))
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

function withoutExtension(names: readonly string[]): readonly string[] {
  const extension = /[^./](\.[A-Za-z][^/]*)$/.exec(names[0] ?? '')?.[1]
  if (extension === undefined) return names
  const isShared = names.every(
    (name) => name.endsWith(extension) && /[^./]$/.test(name.slice(0, -extension.length)),
  )
  return isShared ? names.map((name) => name.slice(0, -extension.length)) : names
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
