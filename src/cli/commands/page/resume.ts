import type { Saved } from './checkpoint.js'
import { partOf, sizeOf } from './target.js'

/** What an earlier run has saved, as far as its file is still there as it was left. */
export async function resumable(saved: Saved | undefined, out: string): Promise<Saved | undefined> {
  if (saved === undefined) return undefined
  if (saved.position.kind === 'end' && (await sizeOf(out)) === saved.bytes) return saved
  const size = await sizeOf(partOf(out))
  return size !== undefined && size >= saved.bytes ? saved : undefined
}

/** Whether the file is whole and in its place. */
export async function isDone({ position, bytes }: Saved, out: string): Promise<boolean> {
  if (position.kind !== 'end') return false
  return (await sizeOf(partOf(out))) === undefined && (await sizeOf(out)) === bytes
}
