import { lchownSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isTokenRecord, type TokenRecord, type TokenRecords } from '../service/auth/token-record.js'
import { copyOwner } from '../text/file-owner.js'
import { makeDirectory } from '../text/make-directory.js'
import { replaceFile } from '../text/replace-file.js'
import { startedAfterCall } from '../text/shared-work.js'
import { DirectoryError, directoryError } from './directory-error.js'
import { lockSoon } from './file-lock.js'
import { markOf } from './file-mark.js'

const LOCK_TIMEOUT_MS = 30_000

/**
 * The token records of a data directory, in a file that commands can change while a service reads it. A change waits up to
 * `lockTimeoutMs` for other changes.
 */
export function tokenFile(
  directory: string,
  { lockTimeoutMs = LOCK_TIMEOUT_MS } = {},
): TokenRecords {
  const path = join(directory, 'tokens.json')
  let known: { readonly mark: string; readonly records: readonly TokenRecord[] } | undefined

  async function load(): Promise<readonly TokenRecord[]> {
    // Read first: a file that is replaced in between is read again next time.
    const mark = await markOf(path)
    if (known?.mark !== mark) {
      known = { mark, records: mark === '' ? [] : decode(path, await readFile(path, 'utf8')) }
    }
    return known.records
  }

  return {
    read: startedAfterCall(load),
    async change(work) {
      try {
        await makeDirectory(directory)
        const lockFile = `${path}.lock`
        const held = await lockSoon(lockFile, lockTimeoutMs)
        if (held === undefined) {
          throw new DirectoryError(
            `Another evq process is changing the tokens and holds \`${lockFile}\`.`,
          )
        }
        try {
          copyOwner(directory, (user, group) => lchownSync(lockFile, user, group))
          const records = await load()
          const { add = [], remove = [] } = work(records)
          if (add.length === 0 && remove.length === 0) return
          const kept = records.filter(({ id }) => !remove.includes(id))
          await write(path, [...kept, ...add])
        } finally {
          held.release()
        }
      } catch (error) {
        throw directoryError(directory, error)
      }
    },
  }
}

function decode(path: string, text: string): readonly TokenRecord[] {
  try {
    const { tokens } = JSON.parse(text) as { tokens: unknown }
    if (Array.isArray(tokens) && tokens.every(isTokenRecord)) return tokens
  } catch {
    // Falls through: a file that cannot be parsed is as unusable as one of the wrong shape.
  }
  // An unreadable file must not count as missing: creating a new first token would grant access to a protected service.
  throw new DirectoryError(
    `The tokens in \`${path}\` can't be read. Delete the file to create a new first token.`,
  )
}

async function write(path: string, tokens: readonly TokenRecord[]): Promise<void> {
  await replaceFile(path, `${JSON.stringify({ tokens }, undefined, 2)}\n`, { mode: 0o600 })
}
