// The configuration file: `default` names the default profile, and `[profiles.<name>]` defines a profile.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../text/replace-file.js'
import { errorCode } from '../../text/system-error.js'
import type { HeaderNames } from '../../wire/http/header.js'
import { isJsonObject } from '../../wire/json/json-object.js'
import { UsageError } from '../error/usage-error.js'
import { homeDirectory } from '../file/home-directory.js'
import { connectionSettings } from './connection-settings.js'
import { readError, requirePrivateFile } from './secret-file.js'
import { TOKEN_KEYS } from './token.js'
import { checkKeys, parseToml } from './toml.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** The keys of a profile that name headers of its deployment, with the headers. */
export const HEADER_KEYS = {
  org_header: 'organization',
  labels_header: 'eventLabels',
  csv_fields_header: 'csvFields',
  batch_id_header: 'batchId',
  trace_id_header: 'traceId',
} as const satisfies Readonly<Record<string, keyof HeaderNames>>

const PROFILE_KEYS = [
  ...connectionSettings.map(([, { key }]) => key),
  ...(Object.keys(HEADER_KEYS) as (keyof typeof HEADER_KEYS)[]),
  ...TOKEN_KEYS,
  'timeout' as const,
]

export type ProfileKey = (typeof PROFILE_KEYS)[number]

/** A named deployment. All values are strings, even `timeout`: `30s`. */
export type Profile = { readonly [Key in ProfileKey]?: string }

/** The contents of the configuration file: the profiles, and the name of the default profile. */
export interface Config {
  readonly default?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

export function configPath(env: Environment): string {
  const home = env.XDG_CONFIG_HOME || join(homeDirectory(env), '.config')
  return join(home, 'evq', 'config.toml')
}

/** Returns the text of the configuration file, empty when it does not exist. Throws a `UsageError` when it can't be read. */
export async function readConfigText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    throw readError(path, error)
  }
}

/** Reads the configuration; without a file there are no profiles. Throws a `UsageError` for an invalid file. */
export async function readConfig(path: string): Promise<Config> {
  const text = await readConfigText(path)
  if (text === '') return { profiles: {} }
  const config = await decodeConfig(path, text)
  const holdsToken = Object.values(config.profiles).some(({ token }) => token !== undefined)
  if (holdsToken) await requirePrivateFile(path, 'token')
  return config
}

/** Replaces the file atomically. Only its owner can read it. */
export async function writeConfigText(path: string, text: string): Promise<void> {
  await replaceFile(path, text, { mode: 0o600 })
}

const CONFIG_KEYS = ['default', 'profiles']

/** Decodes the text of the configuration file at `path`. Throws a `UsageError` when it is invalid. */
export async function decodeConfig(path: string, text: string): Promise<Config> {
  const members = await parseToml(path, text)
  checkKeys(members, CONFIG_KEYS, `\`${path}\``)
  const name = members.default
  if (name !== undefined && typeof name !== 'string') {
    throw new UsageError(`\`default\` in \`${path}\` is not a string with the name of a profile.`)
  }
  const profiles = members.profiles ?? {}
  if (!isJsonObject(profiles)) {
    throw new UsageError(`\`profiles\` in \`${path}\` is not a table: \`[profiles.<name>]\`.`)
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
  if (!isJsonObject(given)) throw new UsageError(`${where} is not a table.`)
  checkKeys(given, PROFILE_KEYS, where)
  const wrong = Object.entries(given).find(([, value]) => typeof value !== 'string')
  if (wrong !== undefined) {
    throw new UsageError(`\`${wrong[0]}\` of ${where} is not a string.`)
  }
  const tokens = TOKEN_KEYS.filter((key) => key in given)
  if (tokens.length > 1) {
    throw new UsageError(
      `${where} has ${tokens.map((key) => `\`${key}\``).join(' and ')}: keep one of them.`,
    )
  }
  return given as Profile
}
