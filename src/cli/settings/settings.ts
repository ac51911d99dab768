import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { HeaderNames } from '../../wire/http/header.js'
import type { Flags } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { homeDirectory } from '../file/home-directory.js'
import { durationMs } from '../option/quantity.js'
import { choose, type NamedProfile } from './choice.js'
import { type Environment, HEADER_KEYS, type Profile } from './config.js'
import {
  CONNECTION_SETTINGS,
  type ConnectionKey,
  type ConnectionSetting,
  type ConnectionSettingName,
  connectionSettings,
  type SettingValue,
  settingFlag,
} from './connection-settings.js'
import { proxyFor } from './proxy.js'
import { whyUnread } from './secret-file.js'
import { type Token, tokenOfFile, tokenOfProfile, tokenOfVariable } from './token.js'

/** The target of requests: a deployment when one is configured, otherwise the data directory. */
export interface Settings {
  readonly url?: string
  /** The profile that the address comes from. */
  readonly profile?: string | undefined
  readonly ingestUrl?: string
  readonly organizationId?: string
  /** The names of headers that differ at this deployment. */
  readonly headerNames: Partial<HeaderNames>
  readonly token?: Token
  readonly timeoutMs?: number
  /** Certificates to trust, as PEM. */
  readonly ca?: string
  /** Returns the proxy for an address; undefined for a direct connection. */
  proxyTo(url: string): string | undefined
  readonly dataDirectory: string
  /** The time for which a service of the data directory keeps running after the last command, in milliseconds. */
  readonly keepWarmMs?: number
  /** The lines that `-v` prints: each value, except for a token, and its source. */
  readonly origins: readonly string[]
}

/** Resolves the settings. In order of precedence, the sources are flags, the environment, a profile and the data directory. */
export async function settings(flags: Flags, env: Environment): Promise<Settings> {
  const choice = await choose(flags, env)
  const directory = dataDirectory(flags, env)
  if (choice.kind === 'local') return localSettings(directory, flags, env)
  const { profile } = choice
  return { ...(await deploymentSettings({ profile, flags, env })), dataDirectory: directory }
}

function localSettings(directory: string, flags: Flags, env: Environment): Settings {
  const variable = nonEmpty(env.EVQ_DATA_DIR) && 'EVQ_DATA_DIR'
  const origin = flags.dataDir === undefined ? variable : '--data-dir'
  const unused = connectionSettings.find(
    ([name, { isOfDeployment }]) => isOfDeployment && flags[name],
  )
  if (unused !== undefined) {
    throw new UsageError(
      `\`${settingFlag(unused[0])}\` is for a deployment. Name the deployment with \`--url\` or \`--profile\`.`,
    )
  }
  const line =
    origin === undefined
      ? `No deployment is configured. Using the data directory \`${directory}\`.`
      : `The data directory \`${directory}\` comes from \`${origin}\`.`
  const keepWarm = nonEmpty(env.EVQ_KEEP_WARM)
  const ofVariable = keepWarm === undefined ? 0 : durationMs(keepWarm, '`EVQ_KEEP_WARM`')
  const keepWarmMs = flags.keepWarm ?? ofVariable
  return {
    headerNames: {},
    proxyTo: () => undefined,
    dataDirectory: directory,
    origins: [line],
    ...(keepWarmMs !== 0 && { keepWarmMs }),
  }
}

export function dataDirectory(flags: Pick<Flags, 'dataDir'>, env: Environment): string {
  const chosen = flags.dataDir ?? nonEmpty(env.EVQ_DATA_DIR)
  if (chosen !== undefined) return resolve(chosen)
  const home = nonEmpty(env.XDG_DATA_HOME) ?? join(homeDirectory(env), '.local/share')
  return join(home, 'evq')
}

/** The sources of the settings of a deployment. */
interface Sources {
  readonly profile: NamedProfile | undefined
  readonly flags: Flags
  readonly env: Environment
}

async function deploymentSettings(sources: Sources): Promise<Omit<Settings, 'dataDirectory'>> {
  const { profile, flags, env } = sources
  const url = settingValue('url', sources)
  const ingestUrl = settingValue('ingestUrl', sources)
  if (url === undefined) {
    throw new UsageError(
      profile === undefined
        ? 'An ingest address requires the address of its deployment: set `--url`.'
        : `Profile \`${profile.name}\` has no \`url\`.`,
    )
  }
  const organization = settingValue('orgId', sources)
  const caFile = settingValue('caFile', sources)
  const token = await givenToken(sources)
  const timeoutMs = flags.timeout ?? timeoutOf(profile)
  const chosenProxy = settingValue('proxy', sources)
  const named = { url, 'ingest url': ingestUrl, organization, 'CA file': caFile }
  return {
    url: url.value,
    profile: url.value === profile?.values.url ? profile.name : undefined,
    ingestUrl: ingestUrl?.value,
    organizationId: organization?.value,
    headerNames: headerNames(profile?.values ?? {}),
    token,
    timeoutMs,
    ca: caFile && (await certificates(caFile)),
    proxyTo: (target) => proxyFor(target, { chosen: chosenProxy?.value, env }),
    origins: [
      ...Object.entries(named).flatMap(([what, one]) =>
        one === undefined ? [] : [`The ${what} \`${one.value}\` comes from ${one.origin}.`],
      ),
      token === undefined ? 'No token is set.' : `The token comes from ${token.origin}.`,
    ],
  }
}

/** Returns a setting from the first source that has it. Throws a `UsageError` for an invalid value. */
function settingValue(
  name: ConnectionSettingName,
  { profile, flags, env }: Sources,
): SettingValue | undefined {
  const { variable = '', key, check }: ConnectionSetting<ConnectionKey> = CONNECTION_SETTINGS[name]
  const all: readonly (readonly [string | undefined, string])[] = [
    [flags[name], `\`${settingFlag(name)}\``],
    [profile?.isExplicit ? undefined : nonEmpty(env[variable]), `\`${variable}\``],
    [profile?.values[key], `profile \`${profile?.name}\``],
  ]
  const [text, origin] = all.find(([one]) => one !== undefined) ?? []
  if (text === undefined || origin === undefined) return undefined
  const value = text.trim()
  check?.({ value, origin })
  return { value, origin }
}

async function givenToken({ profile, flags, env }: Sources): Promise<Token | undefined> {
  if (flags.tokenFile !== undefined) return tokenOfFile(flags.tokenFile, '')
  const ofVariable = tokenOfVariable('EVQ_TOKEN', env.EVQ_TOKEN)
  if (profile === undefined || (ofVariable !== undefined && !profile.isExplicit)) return ofVariable
  return (await tokenOfProfile(profile.name, profile.values)) ?? ofVariable
}

function timeoutOf(profile: NamedProfile | undefined): number | undefined {
  const text = profile?.values.timeout
  if (text === undefined) return undefined
  return durationMs(text, `\`timeout\` of profile \`${profile?.name}\``)
}

async function certificates({ value, origin }: SettingValue): Promise<string> {
  const text = await readFile(value, 'utf8').catch((error: unknown) => {
    throw new UsageError(`No certificates from \`${value}\` (${origin}): ${whyUnread(error)}.`)
  })
  const { isCertificate } = await import('./certificate.js')
  if (isCertificate(text)) return text
  throw new UsageError(`\`${value}\` (${origin}) contains no certificate in PEM format.`)
}

function headerNames(profile: Profile): Partial<HeaderNames> {
  const named = Object.entries(HEADER_KEYS).flatMap(([key, header]) => {
    const name = profile[key as keyof typeof HEADER_KEYS]
    if (name === undefined) return []
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [[header, name.toLowerCase()] as const]
    throw new UsageError(`\`${name}\` is not a valid header name.`)
  })
  return Object.fromEntries(named)
}

/** Returns undefined for an empty environment variable, which counts as not set. */
function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}
