import { chmod, rename, rm, writeFile } from 'node:fs/promises'

/** Writes a file in one step: whoever reads it finds the earlier text or this one, never half of it. */
export async function replaceFile(
  path: string,
  text: string,
  { mode }: { readonly mode?: number } = {},
): Promise<void> {
  const draft = `${path}.${process.pid}`
  try {
    await writeFile(draft, text, { ...(mode !== undefined && { mode }) })
    // Where one was left behind it has the mode that it had.
    if (mode !== undefined) await chmod(draft, mode)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}
