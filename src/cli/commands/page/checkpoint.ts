import { readFile } from 'node:fs/promises'
import type { ExportState } from '../../../client/pages/pages.js'
import { replaceFile } from '../../../text/replace-file.js'
import { errorCode } from '../../../text/system-error.js'
import { isJsonObject } from '../../../wire/json/json-object.js'
import { CommandError } from '../../error/command-error.js'
import { systemErrorMessage } from '../../error/system-error.js'
import { UsageError } from '../../error/usage-error.js'
import { writeError } from '../../output/file.js'
import type { WrittenRows } from '../../output/rows.js'
import { partialPath, sizeOf } from '../../output/target.js'

/** The properties that identify an export, by flag or name. */
export type ExportIdentity = Readonly<Record<string, string | number | boolean | null>>

/** The position of an export, saved so that the same command resumes there. */
export interface SavedExport extends ExportState {
  /** The start of the range, in nanoseconds since 1970. */
  readonly start?: bigint | undefined
  /** The number of valid bytes in the file. */
  readonly bytes: number
  readonly written: WrittenRows
}

const VERSION = 1

/** Reads the checkpoint of an earlier run, if it exists. Throws a `UsageError` when it belongs to another export. */
export async function readCheckpoint(
  path: string,
  identity: ExportIdentity,
): Promise<SavedExport | undefined> {
  const text = await read(path)
  if (text === undefined) return undefined
  const found = decodeCheckpoint(text)
  if (found === undefined) {
    throw new UsageError(
      `\`${path}\` exists and is not the checkpoint of an export, or is damaged. Restore it, delete it to export from the beginning, or name another file with \`--checkpoint\`.`,
    )
  }
  checkIdentity(path, found.identity, identity)
  return found.saved
}

/** Decodes a checkpoint; returns undefined for a checkpoint of another kind and for a damaged one. */
function decodeCheckpoint(
  text: string,
): { readonly identity: ExportIdentity; readonly saved: SavedExport } | undefined {
  try {
    const found = JSON.parse(text, decodedMember) as EncodedCheckpoint
    const { kind, version, export: identity, ...saved } = found
    if (kind !== 'page' || version !== VERSION || !isJsonObject(identity)) return undefined
    const { end, bytes, written, progress, position } = saved
    const counts = [bytes, written.rows, progress.rows, progress.repeated, progress.pages]
    const isSound = counts.every(Number.isSafeInteger) && typeof end === 'bigint'
    return isSound && isJsonObject(position) ? { identity, saved } : undefined
  } catch {
    return undefined
  }
}

/** Replaces the checkpoint durably. */
export async function writeCheckpoint(
  path: string,
  { identity, saved }: { readonly identity: ExportIdentity; readonly saved: SavedExport },
): Promise<void> {
  const encoded: EncodedCheckpoint = { kind: 'page', version: VERSION, export: identity, ...saved }
  const text = `${JSON.stringify(encoded, encodedMember)}\n`
  await replaceFile(path, text, { mode: 0o600 }).catch((error: unknown) => {
    throw writeError(`The checkpoint \`${path}\``, error)
  })
}

interface EncodedCheckpoint extends SavedExport {
  readonly kind: 'page'
  readonly version: number
  readonly export: ExportIdentity
}

/** The members that are nanoseconds. JSON has them as strings, and maps as arrays of their entries. */
const NANOSECONDS = ['at', 'start', 'end']

function encodedMember(_: string, value: unknown): unknown {
  if (value instanceof Map) return [...value]
  return typeof value === 'bigint' ? String(value) : value
}

function decodedMember(key: string, value: unknown): unknown {
  if (key === 'known') return new Map(value as [string, number][])
  return NANOSECONDS.includes(key) ? BigInt(value as string) : value
}

function checkIdentity(path: string, before: ExportIdentity, now: ExportIdentity): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [was, is] = [before[name] ?? null, now[name] ?? null]
    if (was === is) continue
    throw new UsageError(
      `\`${path}\` is the checkpoint of another export: its ${name} is ${valueText(was)}, here it is ${valueText(is)}.`,
    )
  }
}

function valueText(value: ExportIdentity[string]): string {
  return value === null ? 'not set' : `\`${value}\``
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    const message = systemErrorMessage(error)
    if (message === undefined) throw error
    throw new CommandError(`The checkpoint \`${path}\` can't be read: ${message}.`)
  }
}

/** Returns the saved export if its file still has the saved bytes; undefined otherwise. */
export async function resumable(
  saved: SavedExport | undefined,
  out: string,
): Promise<SavedExport | undefined> {
  if (saved === undefined) return undefined
  if (saved.position.kind === 'end' && (await sizeOf(out)) === saved.bytes) return saved
  const size = await sizeOf(partialPath(out))
  return size !== undefined && size >= saved.bytes ? saved : undefined
}

/** True when the file is complete and in place. */
export async function isDone({ position, bytes }: SavedExport, out: string): Promise<boolean> {
  if (position.kind !== 'end') return false
  return (await sizeOf(partialPath(out))) === undefined && (await sizeOf(out)) === bytes
}
