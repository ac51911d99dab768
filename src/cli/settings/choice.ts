import { ownValue } from '../../text/own-value.js'
import { suggestion } from '../../text/suggest.js'
import type { Flags } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { type Config, configPath, type Environment, type Profile, readConfig } from './config.js'

/** The profile name that stands for the data directory. */
export const LOCAL_PROFILE = 'local'

export interface NamedProfile {
  readonly name: string
  readonly values: Profile
  /** True when the command line names the profile, so that the environment does not override its values. */
  readonly isExplicit: boolean
}

/** The target of requests: a deployment or the data directory. */
type Choice =
  | { readonly kind: 'deployment'; readonly profile?: NamedProfile }
  | { readonly kind: 'local' }

/**
 * Chooses the target by the flags, or else by the environment, or else by the default profile. The token of a profile is thus never
 * sent to an address that was given without the profile.
 */
export async function choose(flags: Flags, env: Environment): Promise<Choice> {
  const levels = [
    [flags.url ?? flags.ingestUrl, flags.profile, flags.dataDir],
    [env.EVQ_URL || env.EVQ_INGEST_URL, env.EVQ_PROFILE, env.EVQ_DATA_DIR],
  ] as const
  for (const [index, [url, profile, directory]] of levels.entries()) {
    const isExplicit = index === 0
    if (profile && profile !== LOCAL_PROFILE) return deployment({ name: profile, isExplicit }, env)
    if (url) return { kind: 'deployment' }
    if (profile || directory) return { kind: 'local' }
  }
  const { default: name } = await readConfig(configPath(env))
  if (name === undefined || name === LOCAL_PROFILE) return { kind: 'local' }
  return deployment({ name, isExplicit: false }, env)
}

/** Returns a variable that is set and overrides the default profile; undefined when there is none. */
export function variableBefore(env: Environment): string | undefined {
  return ['EVQ_URL', 'EVQ_INGEST_URL', 'EVQ_PROFILE', 'EVQ_DATA_DIR'].find((name) => env[name])
}

async function deployment(
  { name, isExplicit }: Pick<NamedProfile, 'name' | 'isExplicit'>,
  env: Environment,
): Promise<Choice> {
  const path = configPath(env)
  const { profiles }: Config = await readConfig(path)
  const values = ownValue(profiles, name)
  if (values === undefined) throw unknownProfile(name, Object.keys(profiles), path)
  return { kind: 'deployment', profile: { name, values, isExplicit } }
}

/** Returns the error for a profile name that does not exist. */
export function unknownProfile(name: string, known: readonly string[], path: string): UsageError {
  const help =
    known.length === 0
      ? `\`evq profile add ${name} --url URL\` creates it.`
      : suggestion(name, known, `Profiles: ${known.join(', ')}.`)
  return new UsageError(`There is no profile \`${name}\` in \`${path}\`. ${help}`)
}
