import { isMembers } from '../../wire/members.js'
import { UsageError } from '../usage-error.js'
import type { Config, Profile } from './config.js'
import { knownKeys, parseToml } from './toml.js'

const KEYS: Readonly<Record<keyof Profile, true>> = {
  url: true,
  ingest_url: true,
  org_id: true,
  org_header: true,
  labels_header: true,
  csv_fields_header: true,
  batch_id_header: true,
  trace_id_header: true,
  token: true,
  token_file: true,
  token_command: true,
  timeout: true,
  ca_file: true,
  proxy: true,
}

const PROFILE_KEYS = Object.keys(KEYS)
const CONFIG_KEYS = ['default', 'profiles']
const TOKEN_KEYS = ['token', 'token_file', 'token_command']

/** Reads the text of the configuration file at `path`; whatever is wrong with it is a mistake of its writer. */
export async function decodeConfig(path: string, text: string): Promise<Config> {
  const members = await parseToml(path, text)
  knownKeys(members, CONFIG_KEYS, `\`${path}\``)
  const name = members.default
  if (name !== undefined && typeof name !== 'string') {
    throw new UsageError(`\`default\` in \`${path}\` is not the name of a profile in quotes.`)
  }
  const profiles = members.profiles ?? {}
  if (!isMembers(profiles)) {
    throw new UsageError(`\`profiles\` in \`${path}\` is no table: \`[profiles.<name>]\`.`)
  }
  return {
    ...(name !== undefined && name !== '' && { default: name }),
    profiles: Object.fromEntries(
      Object.entries(profiles).map(([profile, given]) => [
        profile,
        decodeProfile(given, `\`[profiles.${profile}]\` in \`${path}\``),
      ]),
    ),
  }
}

function decodeProfile(given: unknown, where: string): Profile {
  if (!isMembers(given)) throw new UsageError(`${where} is no table.`)
  knownKeys(given, PROFILE_KEYS, where)
  const wrong = Object.entries(given).find(([, value]) => typeof value !== 'string')
  if (wrong !== undefined) {
    throw new UsageError(`\`${wrong[0]}\` of ${where} is not a text in quotes.`)
  }
  const tokens = TOKEN_KEYS.filter((key) => key in given)
  if (tokens.length > 1) {
    throw new UsageError(
      `${where} has ${tokens.map((key) => `\`${key}\``).join(' and ')}: one is enough, and nobody could say which counts.`,
    )
  }
  return given as Profile
}
