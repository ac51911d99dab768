import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { stateDirectory } from '../../../file/state-directory.js'
import type { Settings } from '../../../settings/settings.js'

/** Where the checkpoints are that no flag gives a place. */
export function checkpointDirectory(env: Readonly<Record<string, string | undefined>>): string {
  return join(stateDirectory(env), 'checkpoints')
}

/** What tells where events go from everywhere else they could: data that was deleted is not there any more. */
export async function deploymentOf(settings: Settings): Promise<string> {
  const { url, ingestUrl = url, organizationId, dataDirectory } = settings
  if (ingestUrl !== undefined) {
    const address = new URL(ingestUrl).href.replace(/\/+$/, '')
    return organizationId === undefined ? address : `${address} (${organizationId})`
  }
  const { directoryId } = await import('../../../../local/directory-id.js')
  const id = await directoryId(dataDirectory)
  return `${await realpath(dataDirectory)} (${id})`
}
