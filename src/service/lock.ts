import { open } from 'node:fs/promises'

const LOCK_EXCLUSIVE = 2
const LOCK_AT_ONCE = 4

/** An exclusive hold on a file, until it is released or the process ends, however it ends. */
export interface Lock {
  release(): Promise<void>
}

/** Takes the lock on a file, which is made when it is missing; undefined while another process holds it. */
export async function lock(path: string): Promise<Lock | undefined> {
  const { default: koffi } = await import('koffi')
  // Node has no flock. A file that says who owns the directory would outlive a crash; the kernel's lock does not.
  const flock = koffi.load(null).func('int flock(int, int)')
  const file = await open(path, 'a', 0o600)
  if (flock(file.fd, LOCK_EXCLUSIVE | LOCK_AT_ONCE) === 0) return { release: () => file.close() }
  const problem = koffi.errno()
  await file.close()
  if (problem === koffi.os.errno.EWOULDBLOCK) return undefined
  throw new Error(`\`${path}\` can't be locked: the file system answers with error ${problem}.`)
}
