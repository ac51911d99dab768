import { type Stats, statSync } from 'node:fs'

/**
 * Remembers folders; returns a function that tells whether one of them was deleted or replaced since then. `warn` is called once for
 * the first such folder, and again only after all were back.
 */
export function keptFolders(
  paths: readonly string[],
  warn?: (message: string) => void,
): () => boolean {
  const known = paths.map((path) => ({ path, before: statOf(path) }))
  let wasGone = false
  return () => {
    const gone = known.find(({ path, before }) => {
      const now = statOf(path)
      return now === undefined || now.ino !== before?.ino || now.dev !== before.dev
    })
    if (gone !== undefined && !wasGone) {
      warn?.(
        `The folder \`${gone.path}\` was deleted or replaced. All requests are refused with status 503 until it is restored and the service restarted.`,
      )
    }
    wasGone = gone !== undefined
    return wasGone
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    // A folder that can't be reached counts as deleted.
    return undefined
  }
}
