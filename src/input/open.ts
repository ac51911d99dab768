import * as fs from 'node:fs'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { errorCode, systemErrorText } from '../text/system-error.js'
import { type ByteSource, fileBytes, streamBytes } from './byte-source.js'
import { InputError, inputLabel, STANDARD_INPUT } from './error.js'
import { pipeBytes } from './pipe-bytes.js'

/** An input before anyone has looked inside. */
export interface OpenInput {
  /** As it may be shown. */
  readonly name: string
  readonly bytes: ByteSource
  /** Whether something else writes it while it is read, so that its last line may be cut off. */
  readonly isLive: boolean
  /** Which file it is, whatever its name; for regular files. */
  readonly file?: FileIdentity
}

/** What a file keeps when it is renamed, and another one gets when it is gone. */
export interface FileIdentity {
  readonly device: number
  readonly inode: number
}

export function identityOf({ dev, ino }: fs.Stats): FileIdentity {
  return { device: dev, inode: ino }
}

/** Standard input, or a stream that stands for it. */
export type StandardInput = Readable & { readonly fd?: number }

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links lead in a circle',
  EMFILE: 'too many files are open',
  EIO: 'the disk could not be read',
  ENXIO: 'nothing can be read from it',
}

// Numbers and not `FileHandle`s, since a socket takes over and closes a number only.
const open = promisify(fs.open)
const stat = promisify(fs.fstat)
const close = promisify(fs.close)

/** Opens a file, a named pipe or a device. Aborting `signal` ends what may have no end of its own. */
export async function openFile(path: string, signal?: AbortSignal): Promise<OpenInput> {
  try {
    const fd = await open(path, 'r')
    const stats = await stat(fd)
    if (stats.isDirectory()) {
      await close(fd)
      throw directory(path)
    }
    if (stats.isFile()) {
      const file = identityOf(stats)
      return withInputErrors({
        name: path,
        bytes: fileBytes(fd, () => close(fd)),
        isLive: false,
        file,
      })
    }
    // A read of an idle pipe in the thread pool would keep the process from ending; a socket's does not.
    const bytes = stats.isFIFO()
      ? pipeBytes(fd, signal)
      : streamBytes(fs.createReadStream('', { fd }), signal)
    return withInputErrors({ name: path, bytes, isLive: true })
  } catch (error) {
    throw inputError(path, error)
  }
}

/** Opens what stands at standard input: a pipe, a socket, a redirected file, a terminal. */
export function openStandardInput(stdin: StandardInput, signal?: AbortSignal): OpenInput {
  const name = STANDARD_INPUT
  const { fd } = stdin
  const stats = fd === undefined ? undefined : fs.fstatSync(fd)
  if (stats?.isDirectory()) throw directory(name)
  if (fd !== undefined && stats?.isFile()) {
    return withInputErrors({ name, bytes: fileBytes(fd, async () => {}), isLive: false })
  }
  const isPipe = fd !== undefined && (stats?.isFIFO() || stats?.isSocket())
  const bytes = isPipe ? pipeBytes(fd, signal) : streamBytes(stdin, signal)
  return withInputErrors({ name, bytes, isLive: true })
}

/** An input that fails with an `InputError` with its name when it can't be read. */
export function withInputErrors(opened: OpenInput): OpenInput {
  const { name, bytes } = opened
  return {
    ...opened,
    bytes: {
      ready: () => bytes.ready(),
      close: () => bytes.close(),
      async read(target) {
        try {
          return await bytes.read(target)
        } catch (error) {
          throw inputError(name, error)
        }
      },
    },
  }
}

/** An error of reading in words for a reader. */
export function inputError(name: string, error: unknown): InputError {
  if (error instanceof InputError) return error
  const code = errorCode(error)
  if (code === 'EISDIR') return directory(name)
  const reason = REASONS[code ?? ''] ?? systemErrorText(error) ?? String(error)
  return new InputError(`${inputLabel(name)} can't be read: ${reason}.`, { cause: error })
}

function directory(name: string): InputError {
  const isNamed = name !== STANDARD_INPUT
  const example = `such as \`${isNamed ? name : 'directory'}/*.ndjson\``
  return new InputError(
    `${inputLabel(name)} is a directory. Name the files in it, ${example}${isNamed ? ', or read all of them with `-r`' : ''}.`,
  )
}
