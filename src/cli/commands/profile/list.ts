import type { Context } from '../../context.js'
import { configPath, type Profile, readConfig } from '../../settings/config.js'
import { printList } from '../../terminal/listing.js'

/** `evq profile list`: where each is and where its token comes from, never the token. */
export async function listProfiles(context: Context): Promise<void> {
  const { default: chosen, profiles } = await readConfig(configPath(context.io.env))
  const names = Object.keys(profiles).sort()
  if (names.length === 0) {
    context.say('There are no profiles: every command works on the data directory.')
    return
  }
  const all = names.map((name) => profiles[name] ?? {})
  await printList(
    [
      { name: 'name', type: 'string', values: names },
      { name: 'default', type: 'boolean', values: names.map((name) => name === chosen) },
      { name: 'url', type: 'string', values: all.map(({ url }) => url ?? null) },
      { name: 'org_id', type: 'string', values: all.map(({ org_id }) => org_id ?? null) },
      { name: 'token', type: 'string', values: all.map(tokenSource) },
    ],
    context,
  )
}

/** Where a profile has its token from. */
function tokenSource({ token, token_file, token_command }: Profile): string | null {
  return token_file ?? token_command ?? (token === undefined ? null : 'in the configuration')
}
