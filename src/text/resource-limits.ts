import { readFileSync } from 'node:fs'
import { CODE } from './clickhouse-code.js'
import { errorCode } from './system-error.js'

/** A resource of the process that the system limits. */
type Resource = 'files' | 'file size' | 'memory'

/** The names of the limits in `/proc/self/limits`. */
const NAMES: Readonly<Record<Resource, string>> = {
  files: 'Max open files',
  'file size': 'Max file size',
  memory: 'Max address space',
}

/** Returns the limit of a resource: a number of files, or bytes. Undefined when it is unlimited or unknown. */
function limitOf(resource: Resource): number | undefined {
  let limits: string
  try {
    limits = readFileSync('/proc/self/limits', 'utf8')
  } catch {
    // Only Linux has this file.
    return undefined
  }
  const line = limits.split('\n').find((one) => one.startsWith(NAMES[resource]))
  const [soft = ''] = line?.slice(NAMES[resource].length).trim().split(/\s+/) ?? []
  return /^\d+$/.test(soft) ? Number(soft) : undefined
}

/** Returns a message that names the resource, its limit and the remedy, when the limit is below what is needed. */
export function lowLimitText(
  what: string,
  needed: { readonly files: number; readonly memoryBytes: number },
): string | undefined {
  const files = limitOf('files')
  if (files !== undefined && files < needed.files) {
    return `${what} needs at least ${needed.files} open files, but the limit is ${files} (\`ulimit -n\`). ${RAISE_FILES}`
  }
  const memory = limitOf('memory')
  if (memory === undefined || memory >= needed.memoryBytes) return undefined
  return `${what} needs at least ${kibibytes(needed.memoryBytes)} KiB of virtual memory, but the limit is ${kibibytes(memory)} KiB (\`ulimit -v\`). ${RAISE_MEMORY}`
}

const RAISE_FILES = 'Raise it, for example with `ulimit -n 4096` or `LimitNOFILE=` of systemd.'
const RAISE_THREADS =
  'The system starts no more threads. Raise the limit, for example with `ulimit -u 4096` or `TasksMax=` of systemd.'
const RAISE_MEMORY = 'Remove it with `ulimit -v unlimited`.'

/** Returns a sentence that names the limit on the size of a file and the remedy; empty when the size is unlimited. */
export function fileSizeLimit(): string {
  const bytes = limitOf('file size')
  return bytes === undefined
    ? ''
    : ` The limit on the size of a file is ${kibibytes(bytes)} KiB (\`ulimit -f\`). Remove it with \`ulimit -f unlimited\`.`
}

/** The engine's wording, which no message about a query contains. */
const TOO_LARGE_FILE = 'errno: 27, strerror: File too large'
const TOO_MANY_FILES = 'errno: 24, strerror: Too many open files'
const OUT_OF_MEMORY =
  /^(?:Array buffer allocation failed|WebAssembly\..*Out of memory)|std::bad_alloc/

/** True for an error of writing more to a file than its size may be. */
function isLargeFile(error: Error): boolean {
  return errorCode(error) === 'EFBIG' || error.message.includes(TOO_LARGE_FILE)
}

/** True for an error that a limit on the size of files caused: the same request fails again. */
export function isFileSizeExceeded(error: unknown): boolean {
  return error instanceof Error && (isLargeFile(error) || isFileSizeExceeded(error.cause))
}

/** Returns a message about an error that a limit on files, memory or threads caused; undefined for other errors. */
export function shortageText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  const { message } = error
  if (code === 'EMFILE' || message.includes(TOO_MANY_FILES)) {
    const files = limitOf('files')
    const limit = files === undefined ? '' : ` The limit is ${files} (\`ulimit -n\`).`
    return `There are too many open files.${limit} ${RAISE_FILES}`
  }
  if (isLargeFile(error)) {
    const file = 'path' in error ? `\`${error.path}\`` : 'A temporary file'
    return `${file} can't be written: file too large.${fileSizeLimit()}`
  }
  if (code === 'ENOMEM' || code === CODE.CANNOT_ALLOCATE_MEMORY || OUT_OF_MEMORY.test(message)) {
    const memory = limitOf('memory')
    return memory === undefined
      ? 'There is not enough memory. Free some, or raise the limit of the container.'
      : `There is not enough virtual memory: the limit is ${kibibytes(memory)} KiB (\`ulimit -v\`). ${RAISE_MEMORY}`
  }
  if (code === CODE.CANNOT_SCHEDULE_TASK) return RAISE_THREADS
  return shortageText(error.cause)
}

function kibibytes(bytes: number): number {
  return Math.floor(bytes / 1024)
}
