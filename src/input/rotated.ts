import { readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { errorCode } from '../text/system-error.js'
import { type ByteSource, NO_BYTES } from './byte-source.js'
import { decompressed } from './compression.js'
import { InputError } from './error.js'
import { type FollowOptions, openFollowed, openWritten, pause, waitForFile } from './follow.js'
import { type FileIdentity, identityOf, isSameFile, type OpenInput, openFile } from './open.js'

export interface RotatedFile {
  readonly path: string
  readonly file: FileIdentity
  readonly isCompressed?: boolean
}

export interface ReadFile {
  readonly file: FileIdentity
  /** Milliseconds since 1970; `undefined` when unknown. */
  readonly writtenAt?: number | undefined
  /** True when bytes begin like the file. Without this function, compressed files are not read. */
  readonly isCopy?: ((bytes: ByteSource) => Promise<boolean>) | undefined
}

/** The last part of the name of a rotated file, as in `app.log.1`, `app.log-20260131`, `app.log.2026-01-31T10:00`. */
const SUFFIX = /[.-]\d[\dT:.-]*$/
/** A date in front of the extension, as in `app-2026-01-31.log`. */
const DATE = /[._-](?:\d{4}-?\d\d-?\d\d|\d\d-\d\d-\d{4})[\dT:.-]*(?=\.[A-Za-z]+$)/
/** A number in front of the extension, which may also be the number of a process. */
const NUMBER = /[._-]\d{1,9}(?=\.[A-Za-z]+$)/
const COMPRESSED = /\.(?:gz|zst)$/
/** Compressed files that can't be read. */
const UNREADABLE = /\.(?:bz2|lz4|lzma|xz|Z|zip)$/

/** The names that svlogd, multilog and s6-log give to `current`: its time as TAI64N. Their processor may compress these files. */
const TAI64N = /^@[\da-f]{24}\.[su]$/

/** The most directories next to a log in which its rotated files are searched. */
const MAX_FOLDERS = 100
/** A compressed file that was changed within this time may be incomplete. */
const UNFINISHED_MS = 1000

/** Lists the rotated files of a log, the oldest first. */
export type ListFiles = (log: string) => Promise<readonly FoundFile[]>

/** Returns the rotated files of a log in its directory, recognized by their names, without compressed files. */
export const rotatedFiles: ListFiles = (log) => listTwice(log, PLAIN)

/**
 * Returns the ways to list the rotated files of a followed log, with compressed files and with files that may belong to other logs: in
 * its directory, and then also in directories next to it, which takes longer. A compressed file that is being written is waited for.
 */
export function searchesOf({
  signal,
}: Pick<FollowOptions, 'signal'>): readonly [inDirectory: ListFiles, inDirectories: ListFiles] {
  const within = (scope: Scope) => (log: string) => completeFiles(log, scope, signal)
  return [within(IN_DIRECTORY), within(IN_DIRECTORIES)]
}

async function completeFiles(
  log: string,
  scope: Scope,
  signal: AbortSignal,
): Promise<readonly FoundFile[]> {
  let files = await readableFiles(log, scope)
  // Files that appear during the wait are not waited for: a log may be rotated several times a second.
  const unfinished = files.filter(isUnfinished).map(({ file }) => file)
  const isAwaited = (one: FoundFile) =>
    isUnfinished(one) && unfinished.some((file) => isSameFile(file, one.file))
  while (!signal.aborted && files.some(isAwaited)) {
    // Listing takes longer than looking at the clock, when thousands of logs are rotated at the same time.
    const end = Date.now() + UNFINISHED_MS
    while (!signal.aborted && Date.now() < end) await pause(signal)
    files = await readableFiles(log, scope)
  }
  return files
}

async function readableFiles(log: string, scope: Scope): Promise<readonly FoundFile[]> {
  const files = await listTwice(log, scope)
  return files.filter(({ path }) => !UNREADABLE.test(path))
}

/** Returns the rotated files in the directory of a log that are compressed in ways that can't be read. */
export async function unreadableFiles(log: string): Promise<readonly FoundFile[]> {
  const files = await listRotated(log, IN_DIRECTORY)
  return files.filter(({ isCertain, path }) => isCertain && UNREADABLE.test(path))
}

function isUnfinished({ isCompressed, writtenAt }: FoundFile): boolean {
  return isCompressed === true && Math.abs(Date.now() - writtenAt) < UNFINISHED_MS
}

async function listTwice(log: string, scope: Scope): Promise<readonly FoundFile[]> {
  let files = await listRotated(log, scope)
  for (;;) {
    // A file that is renamed while the directory is read may be missing from the list.
    const again = await listRotated(log, scope)
    const names = (list: readonly FoundFile[]) => list.map(({ path, file }) => ({ path, file }))
    if (isDeepStrictEqual(names(files), names(again))) return again
    files = again
  }
}

/** Returns the path of the log to which a rotated file belongs, or the path of the log itself. */
export function logOf(path: string): string {
  return path.replace(COMPRESSED, '').replace(SUFFIX, '').replace(DATE, '')
}

/** Opens a rotated file, decompressed; resolves to `undefined` when it was renamed or removed after it was listed. */
export async function openRotated(
  { path, file, isCompressed }: RotatedFile,
  open: (path: string) => Promise<OpenInput | undefined> = openFile,
): Promise<OpenInput | undefined> {
  let opened: OpenInput | undefined
  try {
    opened = await open(path)
    if (opened?.file !== undefined && isSameFile(opened.file, file)) {
      return isCompressed ? { ...opened, ...(await decompressed(opened)) } : opened
    }
    await opened?.bytes.close()
    return undefined
  } catch (error) {
    await opened?.bytes.close()
    if (error instanceof InputError && errorCode(error.cause) === 'ENOENT') return undefined
    throw error
  }
}

/** True when a file begins as expected, also if it is compressed; resolves to `undefined` when it was renamed or removed. */
export async function beginsLike(
  rotated: RotatedFile,
  isCopy: (bytes: ByteSource) => Promise<boolean>,
): Promise<boolean | undefined> {
  let opened: OpenInput | undefined
  try {
    opened = await openRotated(rotated)
    return opened && (await isCopy(opened.bytes))
  } catch (error) {
    // A damaged compressed file, or a file without permissions, which may be of another program.
    if (error instanceof InputError) return false
    throw error
  } finally {
    await opened?.bytes.close()
  }
}

/**
 * Opens a file of a log under its present name, or its compressed copy, or the current file of the log when that file is gone. The
 * current file is followed. Resolves with undefined when the signal aborts.
 */
export function openFileOfLog(
  log: string,
  file: ReadFile,
  options: FollowOptions,
): Promise<OpenInput | undefined> {
  return openByOrder(log, file, ({ files, at }) => files[at], options)
}

/**
 * Opens the file of a log that was written after `last`, or the current file. No file is skipped, however often the log is
 * rotated meanwhile.
 */
export function openNextFileOfLog(
  log: string,
  last: ReadFile,
  options: FollowOptions,
): Promise<OpenInput | undefined> {
  const chooseNext = ({ files, at }: SearchedFiles) => {
    const found = files[at]
    if (found !== undefined) return files.slice(at + 1).find((one) => areOfOneLog(one, found))
    // The last file was removed, but files that were written later may still exist.
    const { writtenAt } = last
    const isLater = (one: FoundFile) => writtenAt !== undefined && one.writtenAt > writtenAt
    return files.find((one) => one.isCertain && isLater(one))
  }
  return openByOrder(log, last, chooseNext, options)
}

/** The rotated files of a log, and the index of a file among them; -1 if it is not there. */
interface SearchedFiles {
  readonly files: readonly FoundFile[]
  readonly at: number
}

async function search(log: string, file: ReadFile, options: FollowOptions): Promise<SearchedFiles> {
  let files: readonly FoundFile[] = []
  for (const list of file.isCopy === undefined ? [rotatedFiles] : searchesOf(options)) {
    files = await list(log)
    const at = await indexOf(files, file)
    if (at !== -1) return { files, at }
  }
  return { files, at: -1 }
}

/** Returns the index of a file or of its compressed copy; -1 if there is neither. */
async function indexOf(
  files: readonly FoundFile[],
  { file, writtenAt = 0, isCopy }: ReadFile,
): Promise<number> {
  const at = files.findIndex((one) => isSameFile(one.file, file))
  if (at !== -1 || isCopy === undefined) return at
  for (const [index, one] of files.entries()) {
    // The copy has the time of the file, maybe in seconds, or a later time.
    const mayBeCopy = one.isCompressed && one.writtenAt > writtenAt - 1000
    if (mayBeCopy && (await beginsLike(one, isCopy))) return index
  }
  return -1
}

/** True when two files are of the same log, because their names differ in the same way from its name. */
function areOfOneLog(one: FoundFile, other: FoundFile): boolean {
  return one.isCertain || (one.folder === other.folder && one.naming === other.naming)
}

/**
 * Opens the rotated file that `choose` returns, even if there is no current file; the current file if it is the read file, which may
 * have been truncated, or if `choose` returns undefined.
 */
async function openByOrder(
  log: string,
  read: ReadFile,
  choose: (searched: SearchedFiles) => FoundFile | undefined,
  options: FollowOptions,
): Promise<OpenInput | undefined> {
  const { signal } = options
  for (;;) {
    const isMissing = (await stat(log).catch(errorCode)) === 'ENOENT'
    // The list is made after the current file was opened, so it contains every earlier file.
    const current = isMissing ? undefined : await openFollowed(log, options)
    if (!isMissing && current?.file === undefined) return current
    if (current?.file !== undefined && isSameFile(current.file, read.file)) return current
    const searched = await search(log, read, options)
    const chosen = choose(searched)
    if (current?.file !== undefined) {
      if (chosen === undefined || isSameFile(chosen.file, current.file)) return current
      await current.bytes.close()
    } else if (chosen === undefined) {
      if (!(await waitForFile(log, options))) return undefined
      continue
    }
    // Lines may still be written to the newest rotated file.
    const isWritten =
      !chosen.isCompressed && chosen === searched.files.findLast((one) => areOfOneLog(one, chosen))
    const open = (path: string) =>
      isWritten ? openWritten(path, { log, signal }) : openFile(path, signal)
    try {
      const opened = await openRotated(chosen, open)
      if (opened !== undefined) return opened
    } catch (error) {
      if (!(error instanceof InputError) || !isLasting(error)) throw error
      options.skipped?.(error)
      // The files after it are read all the same.
      return { name: chosen.path, bytes: NO_BYTES, isLive: false, file: chosen.file }
    }
  }
}

/** True for missing permissions and unsupported compression. */
function isLasting({ cause }: InputError): boolean {
  return cause === undefined || errorCode(cause) === 'EACCES'
}

interface FoundFile extends RotatedFile {
  readonly folder: string
  readonly naming: Naming
  /** False for a file that may belong to another log, unless it has the content of a known file. */
  readonly isCertain: boolean
  /** Milliseconds since 1970. */
  readonly writtenAt: number
  readonly createdAt: number
}

interface Scope {
  readonly hasCompressed: boolean
  /** True for files in the directories next to the log, too. */
  readonly inFolders: boolean
}

const PLAIN: Scope = { hasCompressed: false, inFolders: false }
const IN_DIRECTORY: Scope = { hasCompressed: true, inFolders: false }
const IN_DIRECTORIES: Scope = { hasCompressed: true, inFolders: true }

async function listRotated(
  log: string,
  { hasCompressed, inFolders }: Scope,
): Promise<readonly FoundFile[]> {
  const link = await readlink(log).catch(() => undefined)
  // Rotated files are next to the file to which a link refers, as in Kubernetes, and its own name may have a date.
  const target = link === undefined ? log : logOf(await realpath(log).catch(() => log))
  const own = dirname(target)
  const base = basename(target)
  const folders = inFolders ? [own, ...(await foldersIn(own))] : [own]
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => [])
      const found = names.map(async (name) => {
        const naming = namingOf(name, { base, names, hasCompressed })
        if (naming === undefined) return undefined
        const path = join(folder, name)
        const stats = await stat(path).catch(() => undefined)
        if (!stats?.isFile()) return undefined
        return {
          path,
          file: identityOf(stats),
          isCompressed: hasCompressed && (COMPRESSED.test(name) || naming === 'tai64n'),
          folder,
          naming,
          isCertain: folder === own && naming !== 'number',
          writtenAt: stats.mtimeMs,
          createdAt: stats.birthtimeMs,
        }
      })
      return (await Promise.all(found)).flatMap((one) => one ?? [])
    }),
  )
  return inOrder(lists.flat())
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const folders = entries.filter((entry) => entry.isDirectory())
  return folders.slice(0, MAX_FOLDERS).map(({ name }) => join(folder, name))
}

type Naming = 'suffix' | 'date' | 'number' | 'tai64n'

/** Returns the way in which the name of a rotated file follows from the name of its log; undefined for other names. */
function namingOf(
  name: string,
  { base, names, hasCompressed }: Pick<Scope, 'hasCompressed'> & NamesInFolder,
): Naming | undefined {
  if (base === 'current' && TAI64N.test(name)) return 'tai64n'
  // There may be thousands of other names.
  if (!name.startsWith(base.replace(/\.[A-Za-z]+$/, ''))) return undefined
  const plain = name.replace(COMPRESSED, '').replace(UNREADABLE, '')
  // While a file is compressed, both exist.
  if (plain !== name && (!hasCompressed || names.includes(plain))) return undefined
  if (plain.startsWith(base) && SUFFIX.exec(plain.slice(base.length))?.index === 0) return 'suffix'
  if (plain === base) return undefined
  if (plain.replace(DATE, '') === base) return 'date'
  return hasCompressed && plain.replace(NUMBER, '') === base ? 'number' : undefined
}

interface NamesInFolder {
  readonly base: string
  readonly names: readonly string[]
}

/** The date in a name, with the year first. */
const SORTABLE = /[._-](\d{4}-?\d\d-?\d\d.*)$/

/** Sorts files by the dates in their names if all have one, because compression may change their times; else by these times. */
function inOrder(files: readonly FoundFile[]): readonly FoundFile[] {
  const dateOf = ({ path }: FoundFile) => SORTABLE.exec(basename(path).replace(COMPRESSED, ''))?.[1]
  const hasCompressed = files.some(({ isCompressed }) => isCompressed)
  const byNumber = orderOfNumbers(files)
  // Two files may have the same time of modification: the clock of the kernel has ticks of several milliseconds, and some file
  // systems have whole seconds. A compressed file was created by its compression, whose order may be any.
  const byAge: Order = (one, other) =>
    byTime(one, other) ||
    (hasCompressed && byNumber(one, other)) ||
    one.createdAt - other.createdAt ||
    byNumber(one, other)
  if (!hasCompressed || !files.every(dateOf)) return files.toSorted(byAge)
  return files.toSorted((one, other) => {
    const [date = '', otherDate = ''] = [one, other].map(dateOf)
    return date.localeCompare(otherDate, 'en', { numeric: true }) || byAge(one, other)
  })
}

type Order = (one: FoundFile, other: FoundFile) => number

const byTime: Order = (one, other) => one.writtenAt - other.writtenAt

/** Returns the order of the numbers at the end of names: the oldest file has the largest one, unless their times show the opposite. */
function orderOfNumbers(files: readonly FoundFile[]): Order {
  const numbers = new Map<FoundFile, number>()
  for (const file of files) {
    const [, digits] = /\.(\d{1,6})$/.exec(file.path.replace(COMPRESSED, '')) ?? []
    if (digits !== undefined) numbers.set(file, Number(digits))
  }
  const compare: Order = (one, other) => (numbers.get(one) ?? 0) - (numbers.get(other) ?? 0)
  const known = [...numbers.keys()].sort(byTime)
  const [oldest, newest] = [known[0], known.at(-1)]
  const isAscending = oldest && newest && byTime(oldest, newest) < 0 && compare(oldest, newest) < 0
  return isAscending ? compare : (one, other) => compare(other, one)
}
