import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DirectoryError } from './directory-error.js'

/** What a token allows. */
export interface Grant {
  /** The token's name, for people. */
  readonly name: string
  /** A personal token allows everything. */
  readonly personal: boolean
}

/** Who may use the service. */
export interface Access {
  /** What the token allows; undefined for a text that is no token of this service. */
  grantOf(token: string): Grant | undefined
}

/** The tokens of a data directory. The file holds hashes: whoever reads it can't use them. */
export interface Tokens extends Access {
  readonly count: number
  /** Makes a token and returns its text, which is not kept. */
  create(grant: Grant): Promise<string>
}

interface TokenRecord extends Grant {
  readonly id: string
  readonly sha256: string
}

/** Opens the tokens of a data directory. */
export async function openTokens(directory: string): Promise<Tokens> {
  const path = join(directory, 'tokens.json')
  let records = await read(path)
  return {
    get count() {
      return records.length
    },
    grantOf(token) {
      const given = hash(token)
      // Each is compared in full, so that the time taken tells nothing about a token.
      return records.filter((record) => timingSafeEqual(given, bytes(record.sha256)))[0]
    },
    async create(grant) {
      const token = `${grant.personal ? 'xapt' : 'xaat'}-${randomBytes(24).toString('base64url')}`
      const record = { id: randomUUID(), ...grant, sha256: hash(token).toString('hex') }
      records = [...records, record]
      await write(path, records)
      return token
    },
  }
}

function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex')
}

async function read(path: string): Promise<readonly TokenRecord[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  return decode(path, text)
}

function decode(path: string, text: string): readonly TokenRecord[] {
  try {
    const { tokens } = JSON.parse(text) as { tokens: unknown }
    if (Array.isArray(tokens) && tokens.every(isTokenRecord)) return tokens
  } catch {
    // Falls through: what can't be read is as useless as what has the wrong shape.
  }
  // An unreadable file must not look like none: a new first token would open a service that was closed.
  throw new DirectoryError(
    'failed',
    `The tokens in \`${path}\` can't be read. Without the file, a new first token is made.`,
  )
}

function isTokenRecord(value: unknown): value is TokenRecord {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, personal, sha256 } = value as Record<string, unknown>
  return (
    typeof id === 'string' &&
    typeof name === 'string' &&
    typeof personal === 'boolean' &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  )
}

async function write(path: string, tokens: readonly TokenRecord[]): Promise<void> {
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify({ tokens }, undefined, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
