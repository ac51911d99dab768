/** Returns a table by word, given one whose keys are words with spaces between them. */
export function byWord<T>(lists: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const words = Object.entries(lists).flatMap(([list, value]) =>
    list.split(' ').map((word) => [word, value] as const),
  )
  return Object.fromEntries(words)
}
