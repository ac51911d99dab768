import { once } from 'node:events'
import * as fs from 'node:fs'
import { access, chmod, constants, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { linkTarget, temporaryPath } from '../../text/replace-file.js'
import { fileSizeLimit } from '../../text/resource-limits.js'
import { errorCode } from '../../text/system-error.js'
import { CommandError } from '../error/command-error.js'
import { systemErrorMessage } from '../error/system-error.js'
import { listenForInterrupt } from '../terminal/interrupt.js'

/** A file that is being written. An existing file is replaced only when it is complete. */
interface OutputFile {
  readonly stream: fs.WriteStream
  /** Moves the complete file to its path. */
  finish(): Promise<void>
  /** Removes the incomplete file. */
  discard(): Promise<void>
}

/** The mode of a new file; a replaced file keeps its mode. */
interface OutputFileOptions {
  readonly mode?: number
}

/** Opens a file that appears only when it is complete. Throws a `CommandError` when it can't be written. */
export function openOutputFile(path: string, options?: OutputFileOptions): Promise<OutputFile> {
  return withWriteErrors(path, () => open(path, options))
}

/** Writes a whole file, which appears only when it is complete. Throws a `CommandError` when it can't be written. */
export async function writeOutputFile(
  path: string,
  text: string,
  options?: OutputFileOptions,
): Promise<void> {
  const file = await openOutputFile(path, options)
  try {
    file.stream.write(text)
    await file.finish()
  } finally {
    await file.discard()
  }
}

/** Throws a `CommandError` when a file can't be written later. */
export function checkWritable(path: string): Promise<void> {
  return withWriteErrors(path, async () => {
    if (existing(path)?.isDirectory()) throw isDirectory()
    await access(isWrittenInPlace(path) ? path : dirname(linkTarget(path)), constants.W_OK)
  })
}

/** True for a device, a pipe and a file that the shell has opened: they are never replaced. */
export function isWrittenInPlace(path: string): boolean {
  if (fileDescriptor(path) !== undefined) return true
  const found = existing(path)
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

/** Opens a file for appending, and creates it if it does not exist. Throws a `CommandError` when it can't be written. */
export function openAppendStream(
  path: string,
  options?: OutputFileOptions,
): Promise<fs.WriteStream> {
  return withWriteErrors(path, () => streamTo(path, { flags: 'a', ...options }))
}

async function open(path: string, options?: OutputFileOptions): Promise<OutputFile> {
  if (isWrittenInPlace(path)) {
    const stream = await streamTo(path)
    const discard = async () => void (fileDescriptor(path) ?? stream.destroy())
    return { stream, finish: () => finishStream(stream), discard }
  }
  if (existing(path)?.isDirectory()) throw isDirectory()
  // The target of a link is replaced, not the link.
  const place = linkTarget(path)
  const temporary = temporaryPath(place)
  const stream = await opened(fileStream(temporary, { flags: 'wx', name: path, ...options }))
  await keepMode(temporary, path)
  let isFinished = false
  return {
    stream,
    async finish() {
      await finishStream(stream)
      await rename(temporary, place)
      isFinished = true
    },
    async discard() {
      if (isFinished) return
      stream.destroy()
      await rm(temporary, { force: true })
    },
  }
}

/** Gives an incomplete file the permissions of the file that it replaces, if there is one, and `more`. */
export async function keepMode(incomplete: string, path: string, more = 0): Promise<void> {
  const before = existing(path)
  if (before !== undefined) await chmod(incomplete, (before.mode & 0o7777) | more)
}

/** Opens a file itself. A descriptor of the shell is written on, and left open for the next program. */
async function streamTo(path: string, options?: FileStreamOptions): Promise<fs.WriteStream> {
  const fd = fileDescriptor(path)
  if (fd === undefined) return openedUntilSignal(path, opened(fileStream(path, options)))
  return fs.createWriteStream('', { fd, autoClose: false }).on('error', () => {})
}

/**
 * Resolves when a file is opened for writing, also after a signal: opening a pipe waits for a reader, and the process cannot exit
 * meanwhile, so this process becomes one.
 */
async function openedUntilSignal<File>(path: string, opening: Promise<File>): Promise<File> {
  const interrupt = listenForInterrupt()
  interrupt.signal.addEventListener('abort', () => {
    const reader = fs.openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const close = () => fs.closeSync(reader)
    opening.then(close, close)
  })
  return await opening.finally(interrupt.release)
}

function existing(path: string): fs.Stats | undefined {
  // A shell's variable without a value.
  if (path === '') throw new CommandError('The name of an output file is empty.')
  return fs.statSync(path, { throwIfNoEntry: false })
}

function isDirectory(): Error {
  return Object.assign(new Error('EISDIR'), { code: 'EISDIR' })
}

async function opened(stream: fs.WriteStream): Promise<fs.WriteStream> {
  await once(stream, 'open')
  // A failure is reported by the write, not by the event.
  stream.on('error', () => {})
  return stream
}

interface FileStreamOptions {
  readonly flags?: string
  readonly mode?: number
  /** The offset of the first byte. */
  readonly start?: number
  /** The path for messages, if the file has another name until it is complete. */
  readonly name?: string
}

/** Opens a stream to a file. Its errors have the path, which errors of writes lack. */
export function fileStream(
  path: string,
  { name = path, ...options }: FileStreamOptions = {},
): fs.WriteStream {
  const stream = fs.createWriteStream(path, options)
  const destroy = stream.destroy.bind(stream)
  // A stream is destroyed by its first error, before any promise is rejected with it.
  stream.destroy = (error) => destroy(error && Object.assign(error, { path: name }))
  return stream
}

/** Ends a stream. Rejects when any write to it has failed. */
export async function finishStream(stream: fs.WriteStream): Promise<void> {
  stream.end()
  await finished(stream)
}

/** Runs work on a file. Rejects with a `CommandError` that names the file for an error of the operating system. */
export async function withWriteErrors<Result>(
  path: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw writeError(`\`${path}\``, error)
  }
}

/** Returns a `CommandError` for an error of the operating system; any other error unchanged. */
export function writeError(file: string, error: unknown): unknown {
  const message = systemErrorMessage(error)
  if (message === undefined) return error
  const limit = errorCode(error) === 'EFBIG' ? fileSizeLimit() : ''
  return new CommandError(`${file} can't be written: ${message}.${limit}`)
}

const NAMED: Readonly<Record<string, number>> = { '/dev/stdout': 1, '/dev/stderr': 2 }
const NUMBERED = /^\/dev\/fd\/(\d+)$/

/**
 * Returns the descriptor that a name such as `/dev/stdout` stands for, if it is open on a file; undefined otherwise. Opening the
 * file by this name would overwrite it from its beginning.
 */
export function fileDescriptor(path: string): number | undefined {
  const descriptor = descriptorNamed(path)
  return descriptor >= 0 && isFileAt(descriptor) ? descriptor : undefined
}

/** True for a name such as `/dev/stdout`. */
export function isDescriptor(path: string): boolean {
  return descriptorNamed(path) >= 0
}

/** Returns the descriptor that a path names; -1 for other paths. */
function descriptorNamed(path: string): number {
  return NAMED[path] ?? Number(NUMBERED.exec(path)?.[1] ?? -1)
}

function isFileAt(descriptor: number): boolean {
  try {
    return fs.fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}
