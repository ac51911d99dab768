import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from '../../../context.js'
import { stateDirectory } from '../../../file/state-directory.js'
import type { Settings } from '../../../settings/settings.js'
import type { IngestOptions } from '../option/options.js'
import { IngestCheckpoints } from './checkpoints.js'

/** The flags that decide which events become of the same bytes; going on with others would mix the two. */
const DECIDING = {
  timestampField: '--timestamp-field',
  timestampFormat: '--timestamp-format',
  csvFields: '--csv-fields',
  delimiter: '--delimiter',
  label: '--label',
} as const satisfies Partial<Record<keyof IngestOptions, string>>

/** The checkpoints that the command line asks for: automatic ones, a certain one, none. */
export function openCheckpoints(
  options: IngestOptions,
  { settings, context }: { readonly settings: Settings; readonly context: Context },
): IngestCheckpoints {
  const { checkpoint, dataset } = options
  const isOff = checkpoint === false
  const deciding = Object.entries(DECIDING).flatMap(([name, flag]) => {
    const value = options[name as keyof typeof DECIDING]
    return value === undefined ? [] : [[flag, value]]
  })
  return new IngestCheckpoints({
    directory: isOff ? undefined : checkpointDirectory(context.io.env),
    file: typeof checkpoint === 'string' ? resolve(checkpoint) : undefined,
    deployment: once(() => deploymentOf(settings)),
    dataset,
    options: Object.fromEntries(deciding),
    isLocal: settings.url === undefined,
    handsOver: options.rejects !== undefined,
    note: (text) => context.warn(text),
  })
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

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
