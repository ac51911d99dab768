import { fstatSync, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { NOT_WAITING } from '../text/regular-file.js'
import { sharedWhileRunning } from '../text/shared-work.js'
import { errorCode } from '../text/system-error.js'
import type { ByteSource } from './byte-source.js'
import { close, fstat, open, read } from './descriptor.js'
import { InputError, inputLabel } from './error.js'
import {
  type FileIdentity,
  identityOf,
  inputError,
  isSameFile,
  lastWrittenOf,
  type OpenInput,
  openFile,
  withInputErrors,
} from './open.js'

/** The shortest polling interval. File system notifications do not exist on network folders, and get lost under load. */
const LOOK_EVERY_MS = 250
/** With more files than this in an interval, it gets longer, so that polling takes only a small part of a core. */
const LOOKS_PER_MS = 4
/** The number of polls for which a renamed file is still read after another file took its name; the first may be early. */
const LOOKS_BACK = 5
/**
 * A change within this many first bytes means that the file was truncated and rewritten, even if it is not shorter. Many programs
 * begin each file with the same hundreds of bytes.
 */
const HEAD_LENGTH = 4096
/** The number of polls without a change after which every change has another time, even where times are in whole seconds. */
const QUIET_LOOKS = 8
const READ_LENGTH = 1024 * 1024

export interface FollowOptions {
  /** Aborting stops waiting. */
  readonly signal: AbortSignal
  /** Called once when the file does not exist yet. */
  readonly missing?: (() => void) | undefined
  /** Called with the error of a rotated file that is skipped. */
  readonly skipped?: ((error: InputError) => void) | undefined
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
      // No file ever has the empty name.
      if (errorCode(error) !== 'ENOENT' || path === '') throw inputError(path, error)
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
    // Pipes and devices are not followed: they end by themselves, or never. A device that is empty would be opened all the time.
    if (!found.isFile() && !found.isFIFO()) await pause(signal)
    if (!found.isFile()) return await openFile(path, signal)
    const fd = await open(path, NOT_WAITING)
    const stats = await fstat(fd)
    if (stats.size === 0 && (await hasNoLength(fd))) {
      await close(fd)
      throw new InputError(
        `${inputLabel(path)} is generated when it is read, and can't be followed. Read it without \`--follow\`.`,
      )
    }
    const file = identityOf(stats)
    const head = await headOf(fd, from)
    const bytes = new FollowedBytes({ log, fd, identity: file, signal, from, head })
    const lastWritten = lastWrittenOf(fd, stats)
    return withInputErrors({ name: path, bytes, isLive: false, file, lastWritten })
  } catch (error) {
    // The file was removed between `stat` and `open`.
    const cause = error instanceof InputError ? error.cause : error
    if (errorCode(cause) === 'ENOENT') return undefined
    throw inputError(path, error)
  }
}

/** True for a file that has bytes but no length, such as a file of `/proc`: its length never tells that there are further bytes. */
async function hasNoLength(fd: number): Promise<boolean> {
  const hasBytes = await headOf(fd, 1).then(
    (head) => head.length > 0,
    (error: unknown) => errorCode(error) === 'EAGAIN',
  )
  return hasBytes && (await fstat(fd)).size === 0
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

interface FollowedFile extends Required<WrittenOptions> {
  readonly fd: number
  readonly identity: FileIdentity
  /** The first bytes of the file, in front of `from`. */
  readonly head: Buffer
}

/** Reads a file, and the bytes that are appended to it. */
class FollowedBytes implements ByteSource {
  private readonly file: FollowedFile
  private head: Buffer
  private position: number
  /** The size as of the last poll. */
  private size: number
  private isOver = false
  private failure: unknown
  private lookedAt = performance.now()
  private looksBack = 0
  /** The file as of the last poll that found a change, and the number of polls since. */
  private unchanged: { readonly stats: Stats; looks: number } | undefined

  constructor(file: FollowedFile) {
    this.file = file
    this.head = file.head
    this.position = this.size = file.from
  }

  ready(): Promise<void> | undefined {
    // The file may have bytes that the last poll did not see.
    const hasBytes = this.hasNews() || fstatSync(this.file.fd).size > this.position
    return hasBytes ? undefined : this.news()
  }

  async read(target: Buffer): Promise<number> {
    // While a service is slow or down, much may happen to the file between two reads.
    if (performance.now() > this.lookedAt + LOOK_EVERY_MS) this.size = this.position
    if (!this.hasNews()) await this.news()
    if (this.failure !== undefined) throw this.failure
    if (this.isOver) return 0
    const { fd, signal } = this.file
    const length = Math.min(target.length, READ_LENGTH)
    const { bytesRead } = await read(fd, target, 0, length, this.position)
    if (this.position === this.head.length && this.position < HEAD_LENGTH) {
      const missing = HEAD_LENGTH - this.position
      this.head = Buffer.concat([this.head, target.subarray(0, Math.min(bytesRead, missing))])
    }
    this.position += bytesRead
    this.size = bytesRead === 0 ? this.position : Math.max(this.size, this.position)
    // After the signal is aborted, nothing more is waited for.
    return bytesRead === 0 && !signal.aborted ? this.read(target) : bytesRead
  }

  async close(): Promise<void> {
    this.isOver = true
    await this.news()
    await close(this.file.fd)
  }

  private hasNews(): boolean {
    const { isOver, failure, size, position } = this
    return isOver || failure !== undefined || this.file.signal.aborted || size > position
  }

  /** Resolves when `hasNews` returns true. */
  private readonly news = sharedWhileRunning(async (): Promise<void> => {
    const { signal } = this.file
    try {
      while (!this.hasNews()) {
        await this.look()
        if (!this.hasNews()) await pause(signal)
      }
      if (signal.aborted) this.isOver = true
    } catch (error) {
      this.failure = error
    }
  })

  private async look(): Promise<void> {
    this.lookedAt = performance.now()
    const { position } = this
    const { fd, log, identity } = this.file
    const named = await stat(log).catch(() => undefined)
    const isReplaced = named !== undefined && !isSameFile(identityOf(named), identity)
    const now = named === undefined || isReplaced ? await fstat(fd) : named
    // Most of thousands of files are quiet, so that a single call has to suffice for them.
    if (now === named && this.isQuiet(now)) return
    if (now.size < position || !(await this.beginsAsBefore())) {
      this.isOver = true
      return
    }
    this.size = now.size
    if (now.size > position) {
      this.looksBack = 0
      return
    }
    // The writer may keep using the renamed file until it is told to reopen.
    if (isReplaced) this.looksBack += 1
    if (this.looksBack > LOOKS_BACK) this.isOver = true
  }

  /** True when the file certainly has not changed since it was read to its end. */
  private isQuiet(now: Stats): boolean {
    const { stats, looks = 0 } = this.unchanged ?? {}
    const isSame =
      stats?.size === now.size && stats.mtimeMs === now.mtimeMs && stats.ctimeMs === now.ctimeMs
    this.unchanged = { stats: now, looks: isSame ? looks + 1 : 0 }
    return now.size === this.position && isSame && looks >= QUIET_LOOKS
  }

  private async beginsAsBefore(): Promise<boolean> {
    return (await headOf(this.file.fd, this.head.length)).equals(this.head)
  }
}

/** Returns the polling interval for a number of files. */
export function pauseMs(files = 0): number {
  return Math.max(LOOK_EVERY_MS, files / LOOKS_PER_MS)
}

interface Pause {
  readonly over: Promise<void>
  isOver: boolean
  /** The number of files that wait for the end of the pause. */
  files: number
}

/** The last pause for each signal that ends it. */
const pauses = new WeakMap<AbortSignal, Pause>()

/** Resolves after the polling interval, or earlier when a pause for another file has begun. */
export function pause(signal: AbortSignal): Promise<void> {
  const last = pauses.get(signal)
  if (last?.isOver === false) {
    last.files += 1
    return last.over
  }
  // The time to add a listener grows with the number of listeners, and there may be thousands of files.
  const over = sleep(pauseMs(last?.files), undefined, { signal })
    .catch(() => {})
    .finally(() => {
      next.isOver = true
    })
  const next: Pause = { over, isOver: false, files: 1 }
  pauses.set(signal, next)
  return over
}
