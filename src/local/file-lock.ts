import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Countdown } from '../text/countdown.js'
import { DirectoryError } from './directory-error.js'

const LOCK_EXCLUSIVE = 2
const LOCK_AT_ONCE = 4

/** The C library's `flock`, bound on first use. */
let flock: ((descriptor: number, operation: number) => number) | undefined

export function lockPath(directory: string): string {
  return join(directory, 'lock')
}

/** An exclusive lock on a file. It ends when it is released, and when the process ends, also in a crash. */
export interface Lock {
  release(): void
}

/** Locks a file, which is created when missing. Returns undefined while another process holds the lock. */
export async function lock(path: string, open = openFile): Promise<Lock | undefined> {
  const koffi = await loadKoffi()
  // Node has no flock. A file that names the owner would survive a crash; a kernel lock does not.
  flock ??= koffi.load(null).func('int flock(int, int)')
  let descriptor = open(path)
  while (flock(descriptor, LOCK_EXCLUSIVE | LOCK_AT_ONCE) === 0) {
    if (isAt(path, descriptor)) {
      writeProcessId(descriptor)
      return { release: () => closeSync(descriptor) }
    }
    // The former holder removed the file in between; another process may have created and locked a new file.
    closeSync(descriptor)
    descriptor = open(path)
  }
  const problem = koffi.errno()
  closeSync(descriptor)
  if (problem === koffi.os.errno.EWOULDBLOCK) return undefined
  throw new DirectoryError(
    `\`${path}\` can't be locked: the file system returned error ${problem}. Choose a directory on another file system with \`--data-dir\`.`,
  )
}

/** Locks a file as `lock` does, and waits up to a time while another process holds the lock, which is to be short. */
export async function lockSoon(path: string, timeoutMs: number): Promise<Lock | undefined> {
  const countdown = new Countdown(timeoutMs)
  try {
    for (;;) {
      const held = await lock(path)
      if (held !== undefined || countdown.isOver) return held
      await sleep(10)
    }
  } finally {
    countdown.stop()
  }
}

/** Returns the id of the process that holds the lock, if it was written; for messages only, since the process may have ended. */
export function lockHolder(path: string): number | undefined {
  try {
    const id = Number(readFileSync(path, 'utf8'))
    return id > 0 ? id : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns a function that returns true once another process has held a data directory for too long, counted from the first call.
 * The time starts again with each process that takes the directory, because many commands may use it in turn.
 */
export function lockPatience(directory: string, timeoutMs: number): () => boolean {
  const path = lockPath(directory)
  let countdown: Countdown | undefined
  let holder: number | undefined
  return () => {
    const current = lockHolder(path)
    if (countdown === undefined || current !== holder) {
      countdown?.stop()
      countdown = new Countdown(timeoutMs)
      holder = current
    }
    return countdown.isOver
  }
}

/** A raw descriptor: a FileHandle is closed when it is garbage collected, which would release the lock. */
function openFile(path: string): number {
  return openSync(path, 'a', 0o600)
}

/** True when the path still refers to the open file. */
function isAt(path: string, descriptor: number): boolean {
  const open = fstatSync(descriptor, { bigint: true })
  const named = statSync(path, { bigint: true, throwIfNoEntry: false })
  return named !== undefined && named.dev === open.dev && named.ino === open.ino
}

function writeProcessId(descriptor: number): void {
  try {
    // When an empty file is truncated, ext4 writes it to the disk before `close` returns: the lock files of a thousand inputs take seconds.
    if (fstatSync(descriptor).size > 0) ftruncateSync(descriptor)
    writeSync(descriptor, `${process.pid}\n`)
  } catch {
    // On a full disk the lock works without the process id.
  }
}

async function loadKoffi(): Promise<typeof import('koffi').default> {
  try {
    const { default: koffi } = await import('koffi')
    return koffi
  } catch (cause) {
    throw new DirectoryError(
      'The local service is not installed. Install it with `npm install chdb koffi`; remote deployments work without it.',
      { cause },
    )
  }
}
