import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { chmod, realpath, rename, rm, stat } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { temporaryPath } from '../../text/replace-file.js'
import { errorCode } from '../../text/system-error.js'
import { CommandError } from '../error/command-error.js'
import { systemErrorMessage } from '../error/system-error.js'
import { fileDescriptor } from './file-descriptor.js'

/** A file that is being written; what its name stood for before stays until it is whole. */
export interface OutputFile {
  readonly stream: WriteStream
  /** Puts it in its place. */
  finish(): Promise<void>
  /** Leaves everything as it was. */
  discard(): Promise<void>
}

/** How a file is made when there is none yet; one that is replaced passes its own mode on. */
interface OutputFileOptions {
  readonly mode?: number
}

/** Opens a file to be written whole or not at all: beside its place, under another name. */
export async function openOutputFile(
  path: string,
  options: OutputFileOptions = {},
): Promise<OutputFile> {
  try {
    return await open(path, options)
  } catch (error) {
    throw writeError(`\`${path}\``, error)
  }
}

async function open(path: string, options: OutputFileOptions): Promise<OutputFile> {
  const descriptor = fileDescriptor(path)
  if (descriptor !== undefined) return onDescriptor(descriptor)
  const before = await existing(path)
  // A device or a pipe can't be replaced, and has no content to keep.
  if (before !== undefined && !before.isFile && !before.isDirectory) return direct(path)
  if (before?.isDirectory) throw Object.assign(new Error('EISDIR'), { code: 'EISDIR' })
  // The name may be a link, and what it leads to is what is meant.
  const place = before === undefined ? path : await realpath(path)
  const temporary = temporaryPath(place)
  const stream = await opened(createWriteStream(temporary, { flags: 'wx', ...options }))
  if (before !== undefined) await chmod(temporary, before.mode)
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

async function direct(path: string): Promise<OutputFile> {
  const stream = await opened(createWriteStream(path))
  return { stream, finish: () => finishStream(stream), discard: async () => void stream.destroy() }
}

/** Goes on in a file that the shell has opened, and leaves it open for who writes there next. */
function onDescriptor(fd: number): OutputFile {
  const stream = createWriteStream('', { fd, autoClose: false })
  stream.on('error', () => {})
  return { stream, finish: () => finishStream(stream), discard: async () => {} }
}

async function existing(path: string) {
  try {
    const found = await stat(path)
    return { isFile: found.isFile(), isDirectory: found.isDirectory(), mode: found.mode & 0o7777 }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function opened(stream: WriteStream): Promise<WriteStream> {
  await once(stream, 'open')
  // Whoever writes is told of a failure by the write itself.
  stream.on('error', () => {})
  return stream
}

/** Ends a file; rejects when any of it could not be written, also where that was a while ago. */
export async function finishStream(stream: WriteStream): Promise<void> {
  stream.end()
  await finished(stream)
}

/** Why nothing can be written to a file, when that is what went wrong; else the error as it was. */
export function writeError(file: string, error: unknown): unknown {
  const words = systemErrorMessage(error)
  return words === undefined ? error : new CommandError(`${file} can't be written: ${words}.`)
}
