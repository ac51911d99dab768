import { type Stats, statSync } from 'node:fs'

/** Remembers folders; returns a function that tells whether one of them was deleted or replaced since then. */
export function keptFolders(paths: readonly string[]): () => boolean {
  const known = paths.map((path) => ({ path, before: statOf(path) }))
  return () =>
    known.some(({ path, before }) => {
      const now = statOf(path)
      return now === undefined || now.ino !== before?.ino || now.dev !== before.dev
    })
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    // A folder that can't be reached counts as deleted.
    return undefined
  }
}
