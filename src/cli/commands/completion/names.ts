// Looks up names in the deployment or the data directory. The user waits at a prompt, so a lookup is quick or fails, and it
// prints no messages.

import type { Connection } from '../../../client/connection.js'
import { escapeControls } from '../../../render/escape-controls.js'
import { connect } from '../../connection/connect.js'
import type { Context, Flags } from '../../context.js'
import { LOCAL_PROFILE } from '../../settings/choice.js'
import { configPath, type Environment, readConfig } from '../../settings/config.js'
import { type Settings, settings } from '../../settings/settings.js'
import type { Candidate } from './candidates.js'

/** The default time limit; `--timeout` sets another one. */
const TIMEOUT_MS = 1_000

/** Returns the datasets of the deployment that a command line selects, or of the data directory. */
export async function datasetNames(flags: Flags, context: Context): Promise<readonly string[]> {
  const configured = await settings(flags, context.io.env)
  if (configured.url === undefined) return await stored(configured)
  const { datasets } = await import('../../../client/datasets.js')
  return await withQuietConnection(configured, context, (connection, signal) =>
    datasets(connection, { signal }),
  )
}

/** Returns the names of the saved queries. Queries with the same name are completed by their ids, each described by its name. */
export async function savedQueries(flags: Flags, context: Context): Promise<readonly Candidate[]> {
  const configured = await settings(flags, context.io.env)
  // Opening the data directory would create files in an empty one.
  if (configured.url === undefined && (await stored(configured)).length === 0) return []
  const { starredQueries } = await import('../../../client/starred.js')
  const found = await withQuietConnection(configured, context, (connection, signal) =>
    starredQueries(connection, signal).list({ limit: 100 }),
  )
  const isOwn = (name: string) => found.filter((one) => one.name === name).length === 1
  return found.map(({ id, name }) =>
    isOwn(name) && escapeControls(name) === name
      ? { word: name, about: id }
      : { word: id, about: name },
  )
}

/** Returns the tokens of the data directory, each described by its permissions. */
export async function tokenNames(flags: Flags, context: Context): Promise<readonly Candidate[]> {
  const { permissions, withTokens } = await import('../token.js')
  const tokens = await withTokens({ ...context, flags: () => flags }, {}, (all) => all.list())
  return tokens.map((token) => ({ word: token.name, about: permissions(token) }))
}

export async function profileNames(env: Environment): Promise<readonly string[]> {
  const { profiles } = await readConfig(configPath(env))
  return [...Object.keys(profiles), LOCAL_PROFILE]
}

async function stored({ dataDirectory }: Settings): Promise<readonly string[]> {
  const { storedDatasets } = await import('../../../local/stored-datasets.js')
  return await storedDatasets(dataDirectory)
}

/** Runs `question` with a connection that prints nothing. The local engine has to start first, so it has no time limit. */
async function withQuietConnection<T>(
  configured: Settings,
  { io, flags }: Pick<Context, 'io' | 'flags'>,
  question: (connection: Connection, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const nothing = () => {}
  const silent = { io, flags: () => ({}), debug: nothing, warn: nothing, hide: nothing }
  const isLocal = configured.url === undefined
  const timeoutMs = flags().timeout ?? TIMEOUT_MS
  const patience = isLocal ? {} : { timeoutMs }
  const connection = connect({ ...configured, ...patience }, silent)
  const signal = isLocal ? new AbortController().signal : AbortSignal.timeout(timeoutMs)
  try {
    return await question(connection, signal)
  } finally {
    await connection.close()
  }
}
