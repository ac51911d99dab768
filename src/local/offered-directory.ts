import { readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { lockHolder, lockPath } from './file-lock.js'

/** The file with the id of a process that holds the directory only until another service wants it. */
const FILE = 'offered-by'

/** Lets another service take the directory from this process. Returns a function that ends the offer. */
export async function offerDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, FILE)
  await writeFile(path, `${process.pid} ${await idSpace()}`, { mode: 0o600 })
  return async () => {
    await rm(path, { force: true })
  }
}

/** Ends the process that offers the directory; resolves with false when there is none. */
export async function requestDirectory(directory: string): Promise<boolean> {
  const text = await readFile(join(directory, FILE), 'utf8').catch(() => '')
  const [first, ...space] = text.split(' ')
  // In another container, the id belongs to another process.
  if (space.join(' ') !== (await idSpace())) return false
  const id = Number(first)
  // A process that was killed leaves its file, and its id may belong to another process now.
  if (!(id > 0) || id !== lockHolder(lockPath(directory)) || id === process.pid) return false
  try {
    return process.kill(id, 'SIGTERM')
  } catch {
    // It has ended in the meantime.
    return false
  }
}

/** Identifies the processes with which this one shares process ids: the processes of its container, or of its machine until it restarts. */
async function idSpace(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${await readlink('/proc/self/ns/pid')} ${boot.trim()}`
  } catch {
    return hostname()
  }
}
