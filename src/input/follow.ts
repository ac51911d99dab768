import { fstatSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../text/system-error.js'
import type { ByteSource } from './byte-source.js'
import { close, fstat, open, read } from './descriptor.js'
import {
  identityOf,
  inputError,
  lastWrittenOf,
  type OpenInput,
  openFile,
  withInputErrors,
} from './open.js'

/** Polling interval. File system notifications do not exist on network folders, and get lost under load. */
const LOOK_EVERY_MS = 250
/** The number of polls for which a renamed file is still read after another file took its name. */
const LOOKS_BACK = 4
/**
 * A change within this many first bytes means that the file was truncated and rewritten, even if it is not shorter.
 */
const HEAD_LENGTH = 256
const READ_LENGTH = 1024 * 1024

export interface FollowOptions {
  /** Aborting stops waiting. */
  readonly signal: AbortSignal
  /** Called once when the file does not exist yet. */
  readonly missing?: (() => void) | undefined
}

/**
 * Waits until a file exists and opens it for reading while it is written. Its bytes end when the file is replaced or
 * truncated. Resolves with undefined when the signal aborts.
 */
export async function openFollowed(
  path: string,
  { signal, missing }: FollowOptions,
): Promise<OpenInput | undefined> {
  for (;;) {
    if (!(await waitForFile(path, { signal, missing }))) return undefined
    const opened = await openWritten(path, { log: path, signal })
    if (opened !== undefined) return opened
  }
}

/** Waits until a file exists; resolves with false when the signal aborts. */
export async function waitForFile(
  path: string,
  { signal, missing }: FollowOptions,
): Promise<boolean> {
  for (let looks = 0; !signal.aborted; looks++) {
    const stats = await stat(path).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw inputError(path, error)
    })
    if (stats !== undefined) return true
    if (looks === 0) missing?.()
    await pause(signal)
  }
  return false
}

/**
 * Opens a file of a log for reading while it is written, starting at an offset. If it is not the current file, its bytes end a
 * second after the last write. Resolves with undefined when there is no such file.
 */
export async function openWritten(
  path: string,
  { log, signal, from = 0 }: WrittenOptions,
): Promise<OpenInput | undefined> {
  try {
    const found = await stat(path)
    // Pipes and devices are not followed: they end by themselves, or never.
    if (!found.isFile()) return await openFile(path, signal)
    const fd = await open(path, 'r')
    const stats = await fstat(fd)
    const file = identityOf(stats)
    const head = await headOf(fd, from)
    const bytes = followedBytes({ log, fd, signal, from, head })
    const lastWritten = lastWrittenOf(fd, stats)
    return withInputErrors({ name: path, bytes, isLive: false, file, lastWritten })
  } catch (error) {
    // The file was removed between `stat` and `open`.
    if (errorCode(error) === 'ENOENT') return undefined
    throw inputError(path, error)
  }
}

interface WrittenOptions {
  /** The path of the current file. */
  readonly log: string
  readonly signal: AbortSignal
  /** The offset of the first byte to read. */
  readonly from?: number
}

/** Reads the first bytes of a file, up to an offset. */
async function headOf(fd: number, end: number): Promise<Buffer> {
  const head = Buffer.alloc(Math.min(end, HEAD_LENGTH))
  const { bytesRead } = await read(fd, head, 0, head.length, 0)
  return head.subarray(0, bytesRead)
}

interface FollowedFile {
  /** The path of the current file. */
  readonly log: string
  readonly fd: number
  readonly signal: AbortSignal
  readonly from: number
  /** The first bytes of the file, in front of `from`. */
  readonly head: Buffer
}

/** Reads a file, and the bytes that are appended to it. */
function followedBytes({ log, fd, signal, from, head: first }: FollowedFile): ByteSource {
  let head = first
  let position = from
  /** The size as of the last poll. */
  let size = from
  let isOver = false
  let failure: unknown
  let looksBack = 0
  let waiting: Promise<void> | undefined

  const hasNews = () => isOver || failure !== undefined || signal.aborted || size > position

  /** Resolves when `hasNews` returns true. */
  function news(): Promise<void> {
    waiting ??= wait().finally(() => {
      waiting = undefined
    })
    return waiting
  }

  /** Polls until there are bytes to read or the file has ended. */
  async function wait(): Promise<void> {
    try {
      while (!hasNews()) {
        await look()
        if (!hasNews()) await pause(signal)
      }
      if (signal.aborted) isOver = true
    } catch (error) {
      failure = error
    }
  }

  async function look(): Promise<void> {
    const now = await fstat(fd)
    if (now.size < position || (now.size > position && !(await beginsAsBefore()))) {
      isOver = true
      return
    }
    size = now.size
    if (size > position) {
      looksBack = 0
      return
    }
    const named = await stat(log).catch(() => undefined)
    const isReplaced = named !== undefined && (named.ino !== now.ino || named.dev !== now.dev)
    // The writer may keep using the renamed file until it is told to reopen.
    if (isReplaced) looksBack += 1
    if (looksBack > LOOKS_BACK) isOver = true
  }

  async function beginsAsBefore(): Promise<boolean> {
    return (await headOf(fd, head.length)).equals(head)
  }

  async function readMore(target: Buffer): Promise<number> {
    if (!hasNews()) await news()
    if (failure !== undefined) throw failure
    if (isOver) return 0
    const { bytesRead } = await read(fd, target, 0, Math.min(target.length, READ_LENGTH), position)
    if (position === 0) head = Buffer.from(target.subarray(0, Math.min(bytesRead, HEAD_LENGTH)))
    position += bytesRead
    size = bytesRead === 0 ? position : Math.max(size, position)
    // After the signal is aborted, nothing more is waited for.
    return bytesRead === 0 && !signal.aborted ? readMore(target) : bytesRead
  }

  return {
    // The file may have bytes that the last poll did not see.
    ready: () => (hasNews() || fstatSync(fd).size > position ? undefined : news()),
    read: readMore,
    async close() {
      isOver = true
      await waiting
      await close(fd)
    },
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
}
