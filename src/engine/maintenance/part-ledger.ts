// The file `parts.json` in the engine's folder lists the parts of its tables with their rows. The engine itself does not notice
// that a part is gone, or that the number of its rows changed. Merges need no entry: see `missingRows`. Deletions remove parts, so
// the entries of a table are removed before a deletion begins and written again after it: after a crash in between, nothing is
// known about the table, and no part of it seems to be missing.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../text/replace-file.js'
import { errorCode } from '../../text/system-error.js'
import type { Table } from './table-parts.js'

const FILE = 'parts.json'

export interface LedgerTable extends Table {
  /** The number of rows by the name of the part. */
  readonly parts: Readonly<Record<string, number>>
  /** The parts that are damaged, until their loss is accepted. */
  readonly damaged: readonly DamagedPart[]
}

/** A part of a table whose rows can't be read. */
export interface DamagedPart {
  readonly name: string
  /** The rows of a `lost` part are missing from results; queries that read an `unreadable` part fail. */
  readonly state: 'lost' | 'unreadable'
  /** Missing when the number is unknown. */
  readonly rows?: number
}

export type PartLedger = Awaited<ReturnType<typeof openPartLedger>>

/** Opens the ledger in the engine's folder. A missing or unreadable file is an empty ledger. */
export async function openPartLedger(directory: string) {
  const path = join(directory, FILE)
  let text = await readFile(path, 'utf8').catch(() => '')
  let known = decode(text)
  return {
    get tables() {
      return known
    },
    /** Replaces the ledger; resolves when it is durable. */
    async write(tables: readonly LedgerTable[]): Promise<void> {
      const next = encode(tables)
      known = tables
      if (next === text) return
      text = next
      try {
        await replaceFile(path, next, { mode: 0o600 })
      } catch (error) {
        text = ''
        // An old ledger would name parts that no longer exist. Removing it also works on a full disk.
        await rm(path, { force: true }).catch((failure: unknown) => {
          if (errorCode(failure) !== 'ENOTDIR') throw error
        })
      }
    },
  }
}

function encode(tables: readonly LedgerTable[]): string {
  const kept = tables.filter(
    ({ parts, damaged }) => damaged.length > 0 || Object.keys(parts).length > 0,
  )
  return `${JSON.stringify({ tables: kept })}\n`
}

function decode(text: string): readonly LedgerTable[] {
  try {
    const { tables } = JSON.parse(text) as { readonly tables: unknown }
    return Array.isArray(tables) && tables.every(isLedgerTable) ? tables : []
  } catch {
    return []
  }
}

function isLedgerTable(value: unknown): value is LedgerTable {
  const { id, database, name, parts, damaged } = value as Partial<Record<string, unknown>>
  return (
    [id, database, name].every((text) => typeof text === 'string') &&
    typeof parts === 'object' &&
    parts !== null &&
    Object.values(parts).every(Number.isSafeInteger) &&
    Array.isArray(damaged)
  )
}
