import { readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { errorCode } from '../text/system-error.js'
import { InputError } from './error.js'
import { type FollowOptions, openFollowed, openWritten, waitForFile } from './follow.js'
import { type FileIdentity, identityOf, type OpenInput, openFile } from './open.js'

/** A rotated log file. */
export interface RotatedFile {
  readonly path: string
  readonly file: FileIdentity
}

/** A file that was read. */
export interface ReadFile {
  readonly file: FileIdentity
  /** Milliseconds since 1970; `undefined` when unknown. */
  readonly writtenAt?: number | undefined
}

/** The last part of the name of a rotated file, as in `app.log.1`, `app.log-20260131`, `app.log.2026-01-31T10:00`. */
const SUFFIX = /[.-]\d[\dT:.-]*$/
/** A date in front of the extension, as in `app-2026-01-31.log`. A smaller number is often the number of a process. */
const DATE = /[._-]\d{4}-?\d\d-?\d\d[\dT:.-]*(?=\.[A-Za-z]+$)/

/** The names that svlogd, multilog and s6-log give to `current`: its time as TAI64N. */
const TAI64N = /^@[\da-f]{24}\.[su]$/

/** Returns the rotated files of a log in its directory, recognized by their names, the oldest first. */
export async function rotatedFiles(log: string): Promise<readonly FoundFile[]> {
  let files = await listRotated(log)
  for (;;) {
    // A file that is renamed while the directory is read may be missing from the list.
    const again = await listRotated(log)
    const names = (list: readonly FoundFile[]) => list.map(({ path, file }) => ({ path, file }))
    if (isDeepStrictEqual(names(files), names(again))) return again
    files = again
  }
}

/** Returns the path of the log to which a rotated file belongs, or the path of the log itself. */
export function logOf(path: string): string {
  return path
    .replace(/\.(?:gz|zst)$/, '')
    .replace(SUFFIX, '')
    .replace(DATE, '')
}

/** Opens a rotated file; resolves to `undefined` when it was renamed or removed after it was listed. */
export async function openRotated(
  { path, file }: RotatedFile,
  open: (path: string) => Promise<OpenInput | undefined> = openFile,
): Promise<OpenInput | undefined> {
  try {
    const opened = await open(path)
    if (opened?.file !== undefined && isSameFile(opened.file, file)) return opened
    await opened?.bytes.close()
    return undefined
  } catch (error) {
    if (error instanceof InputError && errorCode(error.cause) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Opens a file of a log under its present name, or the current file of the log when that file is gone. The current file is
 * followed. Resolves with undefined when the signal aborts.
 */
export function openFileOfLog(
  log: string,
  file: FileIdentity,
  options: FollowOptions,
): Promise<OpenInput | undefined> {
  return openByOrder(log, (files) => files.find((one) => isSameFile(one.file, file)), options)
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
  const next = (files: readonly FoundFile[], current?: FileIdentity) => {
    // The last file was truncated, and is still the current file.
    if (current !== undefined && isSameFile(current, last.file)) return undefined
    const at = files.findIndex((one) => isSameFile(one.file, last.file))
    if (at !== -1) return files[at + 1]
    // The last file was removed, but files that were written later may still exist.
    const { writtenAt } = last
    return files.find((one) => writtenAt !== undefined && one.writtenAt > writtenAt)
  }
  return openByOrder(log, next, options)
}

/** Opens the rotated file that `choose` returns, even if there is no current file; the current file if `choose` returns undefined. */
async function openByOrder(
  log: string,
  choose: (rotated: readonly FoundFile[], current?: FileIdentity) => FoundFile | undefined,
  options: FollowOptions,
): Promise<OpenInput | undefined> {
  const { signal } = options
  for (;;) {
    const isMissing = (await stat(log).catch(errorCode)) === 'ENOENT'
    // The list is made after the current file was opened, so it contains every earlier file.
    const current = isMissing ? undefined : await openFollowed(log, options)
    if (!isMissing && current?.file === undefined) return current
    const rotated = await rotatedFiles(log)
    const chosen = choose(rotated, current?.file)
    if (current?.file !== undefined) {
      if (chosen === undefined || isSameFile(chosen.file, current.file)) return current
      await current.bytes.close()
    } else if (chosen === undefined) {
      if (!(await waitForFile(log, options))) return undefined
      continue
    }
    // Lines may still be written to the newest rotated file.
    const isNewest = chosen === rotated.at(-1)
    const open = (path: string) =>
      isNewest ? openWritten(path, { log, signal }) : openFile(path, signal)
    const opened = await openRotated(chosen, open)
    if (opened !== undefined) return opened
  }
}

export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.inode === other.inode && one.device === other.device
}

interface FoundFile extends RotatedFile {
  /** Milliseconds since 1970. */
  readonly writtenAt: number
  readonly createdAt: number
}

async function listRotated(log: string): Promise<readonly FoundFile[]> {
  const link = await readlink(log).catch(() => undefined)
  // Rotated files are next to the file to which a link refers, as in Kubernetes, and its own name may have a date.
  const target = link === undefined ? log : logOf(await realpath(log).catch(() => log))
  const folder = dirname(target)
  const base = basename(target)
  const names = await readdir(folder).catch(() => [])
  const hasSuffix = (name: string) =>
    name.startsWith(base) && SUFFIX.exec(name.slice(base.length))?.index === 0
  const rotated = names.filter(
    (name) => hasSuffix(name) || isDated(name, base) || (base === 'current' && TAI64N.test(name)),
  )
  const found = await Promise.all(
    rotated.map(async (name) => {
      const path = join(folder, name)
      const stats = await stat(path).catch(() => undefined)
      if (!stats?.isFile()) return undefined
      return {
        path,
        file: identityOf(stats),
        writtenAt: stats.mtimeMs,
        createdAt: stats.birthtimeMs,
      }
    }),
  )
  return found.flatMap((one) => one ?? []).sort(byAge)
}

function isDated(name: string, base: string): boolean {
  return name !== base && name.replace(DATE, '') === base
}

/** Two files may have the same time of modification: the clock of the kernel has ticks of several milliseconds. */
function byAge(one: FoundFile, other: FoundFile): number {
  return one.writtenAt - other.writtenAt || one.createdAt - other.createdAt
}
