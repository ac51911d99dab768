// Names that only the place where requests go can tell. Someone waits at a prompt, so they come
// quickly or not at all, and nothing is ever said about it.

import { connect } from '../connect.js'
import type { Context, Flags } from '../context.js'
import { LOCAL_PROFILE } from '../settings/choice.js'
import { configPath, type Environment, readConfig } from '../settings/config.js'
import { settings } from '../settings.js'

const PATIENCE_MS = 1_000

/** The datasets of the deployment that a command line goes to, or of the data directory. */
export async function datasetNames(flags: Flags, { io }: Context): Promise<readonly string[]> {
  const configured = await settings(flags, io.env)
  if (configured.url === undefined) {
    const { storedDatasets } = await import('../../service/stored-datasets.js')
    return await storedDatasets(configured.dataDirectory)
  }
  const { datasets } = await import('../../client/datasets.js')
  const silent = { io, flags: () => ({}), detail: () => {}, note: () => {} }
  const connection = connect({ ...configured, timeoutMs: PATIENCE_MS }, silent)
  try {
    return await datasets(connection, { signal: AbortSignal.timeout(PATIENCE_MS) })
  } finally {
    await connection.close()
  }
}

/** The deployments that have names. */
export async function profileNames(env: Environment): Promise<readonly string[]> {
  const { profiles } = await readConfig(configPath(env))
  return [...Object.keys(profiles), LOCAL_PROFILE]
}
