import * as fs from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { NOT_WAITING } from '../text/regular-file.js'
import { errorCode, systemErrorText } from '../text/system-error.js'
import { type ByteSource, fileBytes, ShrunkError, streamBytes, withRead } from './byte-source.js'
import { open } from './descriptor.js'
import { InputError, inputLabel, STANDARD_INPUT } from './error.js'
import { pipeBytes } from './pipe-bytes.js'

/** An open input; its format is not known yet. */
export interface OpenInput {
  /** For messages. */
  readonly name: string
  readonly bytes: ByteSource
  /** Set when the format is known, whatever was requested. */
  readonly format?: 'ndjson'
  /** True when the input may be written while it is read, so that its last line may be incomplete. */
  readonly isLive: boolean
  /** Identifies a regular file across renames. */
  readonly file?: FileIdentity
  /** True when the bytes are the decompressed content of the file. */
  readonly isCompressed?: boolean
  /** Returns the time of the last write to a regular file, in nanoseconds since 1970. */
  lastWritten?(): bigint
  /** Aborted when the reader stops before the end. */
  readonly signal?: AbortSignal | undefined
}

/** The identity that a file keeps when it is renamed. */
export interface FileIdentity {
  readonly device: number
  readonly inode: number
}

export function identityOf({ dev, ino }: fs.Stats): FileIdentity {
  return { device: dev, inode: ino }
}

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.inode === other.inode && one.device === other.device
}

const LOOK_EVERY_MS = 1000

/** Returns a function that returns the modification time of a file, which is looked up at most once a second. */
export function lastWrittenOf(fd: number, stats: fs.Stats): () => bigint {
  let modified = BigInt(Math.round(stats.mtimeMs)) * 1_000_000n
  let lookedAt = performance.now()
  return () => {
    if (performance.now() < lookedAt + LOOK_EVERY_MS) return modified
    lookedAt = performance.now()
    try {
      modified = fs.fstatSync(fd, { bigint: true }).mtimeNs
    } catch {
      // The file was closed: its last known time is returned.
    }
    return modified
  }
}

/** Standard input, or a stream in place of it. */
export type StandardInput = Readable & { readonly fd?: number }

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'too many levels of symbolic links',
  EMFILE: 'too many files are open',
  EIO: 'the disk could not be read',
  ENXIO: 'nothing can be read from it',
}

const WRITER = fs.constants.O_WRONLY | fs.constants.O_NONBLOCK
const RETRY_MS = 10
const PIPE_LOOK_MS = 250
/** Linux's O_PATH, for a descriptor that neither reads nor writes. */
const PATH_ONLY = 0o10000000

/**
 * Opens a named pipe for reading, which waits for a writer. When the signal aborts, or another file gets the name of the pipe, this
 * process opens the pipe for writing: nothing else ends the wait, during which the process cannot exit.
 */
async function openPipe(path: string, signal: AbortSignal): Promise<number> {
  // A path of the pipe that stays valid after its deletion.
  const place = process.platform === 'linux' ? fs.openSync(path, PATH_ONLY) : undefined
  const lasting = place === undefined ? path : `/proc/self/fd/${place}`
  const pipe = identityOf(fs.statSync(lasting))
  const opening = open(lasting, 'r')
  let isOpen = false
  const unblock = (): void => {
    if (isOpen) return
    try {
      fs.closeSync(fs.openSync(lasting, WRITER))
    } catch {
      // The reader is not waiting yet.
    }
    setTimeout(unblock, RETRY_MS)
  }
  const looking = setInterval(async () => {
    const named = await stat(path).catch(() => undefined)
    if (named !== undefined && isSameFile(identityOf(named), pipe)) return
    clearInterval(looking)
    unblock()
  }, PIPE_LOOK_MS)
  if (signal.aborted) unblock()
  else signal.addEventListener('abort', unblock, { once: true })
  try {
    return await opening
  } finally {
    isOpen = true
    clearInterval(looking)
    if (place !== undefined) fs.closeSync(place)
    signal.removeEventListener('abort', unblock)
  }
}

/** Opens a file, a named pipe or a device. Aborting `signal` ends a pipe or a device. Throws `InputError`. */
export async function openFile(path: string, signal?: AbortSignal): Promise<OpenInput> {
  // Small files are read without waiting, so responses, timers and signals have their turn between the files.
  await nextTurn()
  try {
    const found = fs.statSync(path)
    if (found.isDirectory()) throw directory(path)
    const isPipe = signal !== undefined && found.isFIFO()
    const fd = found.isFile()
      ? fs.openSync(path, NOT_WAITING)
      : await (isPipe ? openPipe(path, signal) : open(path, 'r'))
    const stats = fs.fstatSync(fd)
    if (stats.isFile()) {
      const file = identityOf(stats)
      return withInputErrors({
        name: path,
        bytes: fileBytes(fd, { size: stats.size, close: async () => fs.closeSync(fd) }),
        isLive: false,
        file,
        lastWritten: lastWrittenOf(fd, stats),
        signal,
      })
    }
    // Reading an idle pipe in the thread pool would keep the process alive; reading it as a socket does not.
    const bytes = stats.isFIFO()
      ? pipeBytes(fd, signal)
      : streamBytes(fs.createReadStream('', { fd }), signal)
    return withInputErrors({ name: path, bytes, isLive: true })
  } catch (error) {
    throw inputError(path, error)
  }
}

/** Opens standard input: a pipe, a socket, a redirected file or a terminal. Throws `InputError` for a directory. */
export function openStandardInput(stdin: StandardInput, signal?: AbortSignal): OpenInput {
  const name = STANDARD_INPUT
  const { fd } = stdin
  const stats = fd === undefined ? undefined : fs.fstatSync(fd)
  if (stats?.isDirectory()) throw directory(name)
  if (fd !== undefined && stats?.isFile()) {
    const bytes = fileBytes(fd, { size: stats.size, close: async () => {} })
    const lastWritten = lastWrittenOf(fd, stats)
    return withInputErrors({ name, bytes, isLive: false, lastWritten, signal })
  }
  const isPipe = fd !== undefined && (stats?.isFIFO() || stats?.isSocket())
  const bytes = isPipe ? pipeBytes(fd, signal) : streamBytes(stdin, signal)
  return withInputErrors({ name, bytes, isLive: true })
}

/** Returns the input with errors of reading converted to `InputError`. */
export function withInputErrors(opened: OpenInput): OpenInput {
  const { name, bytes } = opened
  const read: ByteSource['read'] = async (target) => {
    try {
      return await bytes.read(target)
    } catch (error) {
      throw inputError(name, error)
    }
  }
  return { ...opened, bytes: withRead(bytes, read) }
}

/** Converts an error of opening or reading an input to an `InputError`. */
export function inputError(name: string, error: unknown): InputError {
  if (error instanceof InputError) return error
  if (error instanceof ShrunkError) return shrunkError(name)
  const code = errorCode(error)
  if (code === 'EISDIR') return directory(name)
  const reason = REASONS[code ?? ''] ?? systemErrorText(error) ?? String(error)
  const help = code === 'ENOENT' ? missingHelp(name) : ''
  return new InputError(`${inputLabel(name)} can't be read: ${reason}.${help}`, { cause: error })
}

/** Returns a sentence about a name that no file has, with a space in front; an empty string for an ordinary name. */
export function missingHelp(name: string): string {
  // Node decodes names, and replaces the bytes that are not UTF-8.
  if (name.includes('\ufffd')) return ' A file whose name is not UTF-8 is read by `< file`.'
  if (!/[*?[]/.test(name)) return ''
  return ' The shell expands a pattern that matches a file and is not in quotes.'
}

/** Returns the error of a file that became shorter while it was read. */
export function shrunkError(name: string): InputError {
  return new InputError(
    `${inputLabel(name)} shrank while it was read: its last events are missing.`,
  )
}

function directory(name: string): InputError {
  const isNamed = name !== STANDARD_INPUT
  const example = `such as \`${isNamed ? name : 'directory'}/*.ndjson\``
  return new InputError(
    `${inputLabel(name)} is a directory. Name the files in it, ${example}${isNamed ? ', or read all of them with `-r`' : ''}.`,
  )
}
