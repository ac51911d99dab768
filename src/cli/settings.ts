import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Flags } from './context.js'
import { UsageError } from './usage-error.js'

/** Where requests go: a deployment when one is configured, else the data directory. */
export interface Settings {
  readonly url?: string
  readonly ingestUrl?: string
  readonly organizationId?: string
  readonly token?: string
  readonly dataDirectory: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Flag, then environment, then local. */
export async function settings(flags: Flags, env: Environment): Promise<Settings> {
  const url = address(flags.url, '--url') ?? address(env.EVQ_URL, 'EVQ_URL')
  const ingestUrl =
    address(flags.ingestUrl, '--ingest-url') ?? address(env.EVQ_INGEST_URL, 'EVQ_INGEST_URL')
  if (url === undefined && ingestUrl !== undefined) {
    throw new UsageError('An ingest address needs the address of its deployment too: give `--url`.')
  }
  const organizationId = flags.orgId ?? filled(env.EVQ_ORG_ID)
  const token = await readToken(flags.tokenFile, env)
  return {
    ...(url !== undefined && { url }),
    ...(ingestUrl !== undefined && { ingestUrl }),
    ...(organizationId !== undefined && { organizationId }),
    ...(token !== undefined && { token }),
    dataDirectory: dataDirectory(flags, env),
  }
}

/** Where the local service keeps its data. */
export function dataDirectory(flags: Pick<Flags, 'dataDir'>, env: Environment): string {
  const chosen = flags.dataDir ?? filled(env.EVQ_DATA_DIR)
  if (chosen !== undefined) return resolve(chosen)
  const home = filled(env.XDG_DATA_HOME) ?? join(filled(env.HOME) ?? homedir(), '.local/share')
  return join(home, 'evq')
}

function address(value: string | undefined, origin: string): string | undefined {
  if (value === undefined || (value === '' && !origin.startsWith('-'))) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `\`${origin}\` is not an address: \`${value}\`. It looks like \`https://host\` or \`http://host:port/path\`.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      `\`${origin}\` holds a name or password. A token comes from \`EVQ_TOKEN\` or \`--token-file\`.`,
    )
  }
  return value
}

async function readToken(file: string | undefined, env: Environment): Promise<string | undefined> {
  const origin = file === undefined ? '`EVQ_TOKEN`' : `\`${file}\``
  const text = file === undefined ? env.EVQ_TOKEN : await readTokenFile(file)
  const token = text?.trim()
  if (token === undefined || (token === '' && file === undefined)) return undefined
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(
      token === ''
        ? `There is no token in ${origin}.`
        : `The token in ${origin} holds a space, a line end or another character that no token has.`,
    )
  }
  return token
}

async function readTokenFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const why = code === 'ENOENT' ? 'it does not exist' : `it can't be read (${String(code)})`
    throw new UsageError(`No token from \`${file}\`: ${why}.`)
  }
}

/** An environment variable that is set to nothing counts as not set. */
function filled(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
