import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Command } from 'commander'
import { defined } from '../../text/defined.js'
import { ownValue } from '../../text/own-value.js'
import { isDatasetName } from '../../wire/http/dataset-name.js'
import { formatInOneUnit } from '../../wire/time/duration.js'
import type { Context } from '../context.js'
import { CommandError } from '../error/command-error.js'
import { UsageError } from '../error/usage-error.js'
import { changeAlone } from '../file/exclusive-file.js'
import { expandTilde } from '../file/home-directory.js'
import { examples } from '../help/examples.js'
import { addListOptions, type PrintFlags } from '../output/flags.js'
import { LOCAL_PROFILE, unknownProfile, variableBefore } from '../settings/choice.js'
import {
  type Config,
  configPath,
  type Profile,
  type ProfileKey,
  readConfig,
  writeConfigText,
} from '../settings/config.js'
import { connectionSettings, settingFlag } from '../settings/connection-settings.js'
import { editedConfig } from '../settings/edit-config.js'
import { checkToken, TOKEN_KEYS } from '../settings/token.js'
import { type ListColumn, printList } from '../terminal/listing.js'

/** The shared flags that a profile keeps. */
const SHARED_FLAGS = [...connectionSettings.map(([name]) => settingFlag(name)), '--timeout'].join(
  ', ',
)

export function profileCommand(context: Context): Command {
  const profile = new Command('profile')
    .description(
      `Manages named deployments, so that \`--profile prod\` or the default profile selects an address, a token and other settings. The shared flags set the contents of a profile: ${SHARED_FLAGS}.`,
    )
    .addHelpText('after', () => examples(PROFILE_EXAMPLES))
  profile.addCommand(addCommand(context))
  addListOptions(profile.command('list'))
    .summary('list the profiles')
    .description('Prints the profiles with the source of each token, never a token.')
    .addHelpText('after', () => examples(['evq profile list']))
    .action((flags: PrintFlags) => listProfiles(flags, context))
  profile
    .command('use')
    .summary('set the default profile')
    .description('Makes a profile the default; `local` is the data directory.')
    .argument('<profile>', 'name of a profile, or `local`')
    .addHelpText('after', () => examples(['evq profile use prod', 'evq profile use local']))
    .action((name: string) => useProfile(name, context))
  profile
    .command('remove')
    .summary('remove a profile')
    .description('Removes a profile from the configuration.')
    .argument('<profile>', 'name of the profile')
    .addHelpText('after', () => examples(['evq profile remove staging']))
    .action((name: string) => removeProfile(name, context))
  return profile
}

const PROFILE_EXAMPLES = [
  'evq profile add prod --url https://logs.example.com --token-file ~/.evq-token',
  'evq profile use prod',
  'evq query "[\'logs\'] | count" --profile staging',
]

function addCommand(context: Context): Command {
  return new Command('add')
    .summary('add or replace a profile')
    .description(
      'Adds a profile or replaces an existing one, which keeps its token unless another token is given. Without --url, the other settings of an existing profile stay, too. No flag takes the token itself.',
    )
    .argument('<name>', 'name of the profile')
    .option('--org-header <name>', 'name of the organization header of the deployment')
    .option('--token-command <command>', 'command that prints the token')
    .option('--token-stdin', 'read the token from standard input and store it')
    .addHelpText('after', () =>
      examples([
        PROFILE_EXAMPLES[0]!,
        "evq profile add prod --url https://logs.example.com --token-command 'pass evq'",
        'evq profile add prod --token-stdin < new-token',
      ]),
    )
    .action((name: string, flags: AddFlags) => addProfile(name, flags, context))
}

interface AddFlags {
  readonly orgHeader?: string
  readonly tokenCommand?: string
  readonly tokenStdin?: boolean
}

/** `evq profile add`: the first profile becomes the default. */
async function addProfile(name: string, flags: AddFlags, context: Context): Promise<void> {
  if (name === LOCAL_PROFILE || !isDatasetName(name)) {
    throw new UsageError(
      name === LOCAL_PROFILE
        ? '`local` is reserved for the data directory. Choose another name.'
        : `\`${name}\` is not a valid name for a profile: use letters, digits, \`_\`, \`.\` and \`-\`.`,
    )
  }
  const given = await profileOf(flags, context)
  const path = configPath(context.io.env)
  const { before, chosen } = await changeAlone(path, () => keep(name, given, context))
  if (chosen === name) warnOfVariables(context)
  if (before !== undefined && given.url !== undefined)
    warnOfReplaced(name, { before, given }, context)
  const replaced = given.url === undefined ? 'changed' : 'replaced'
  const done = before === undefined ? 'added' : replaced
  context.info(
    chosen === name
      ? `${name}: ${done}, and the default`
      : `${name}: ${done}; \`evq profile use ${name}\` makes it the default`,
  )
}

/** Writes a profile into the configuration; returns the profile that it replaces, and the name of the default profile. */
async function keep(name: string, given: Profile, context: Context) {
  const { profiles, default: earlier } = await readConfig(configPath(context.io.env))
  const before = ownValue(profiles, name)
  if (given.url === undefined && before === undefined) {
    throw new UsageError('A new profile requires an address: set `--url`.')
  }
  const profile = { ...given, ...(before && keptSettings(before, given)) }
  const chosen = Object.keys(profiles).length === 0 ? name : earlier
  await changeConfig({ profiles: { ...profiles, [name]: profile }, default: chosen }, context)
  return { before, chosen }
}

/** Returns the settings of the replaced profile that stay: without a new address all that no flag sets, else its token. */
function keptSettings(before: Profile, given: Profile): Profile {
  const token = keptToken(before, given)
  if (given.url !== undefined) return token
  const others = Object.entries(before).filter(([key]) => !TOKEN_KEYS.some((one) => one === key))
  return { ...Object.fromEntries(others), ...given, ...token }
}

/** Returns the token setting of the replaced profile, unless a flag sets another one. */
function keptToken(before: Profile, given: Profile): Profile {
  const key = TOKEN_KEYS.find((one) => before[one] !== undefined)
  if (key === undefined || TOKEN_KEYS.some((one) => given[one] !== undefined)) return {}
  return { [key]: before[key] }
}

function warnOfReplaced(
  name: string,
  { before, given }: { readonly before: Profile; readonly given: Profile },
  { warn }: Context,
): void {
  const [kept] = Object.keys(keptToken(before, given))
  if (kept !== undefined) {
    const where = before.url === given.url ? '' : `, which now goes to \`${given.url}\``
    warn(
      `\`${name}\` keeps its \`${kept}\`${where}. To drop it, run \`evq profile remove ${name}\` first.`,
    )
  }
  const dropped = (Object.keys(before) as (keyof Profile)[]).filter(
    (key) => key !== kept && given[key] === undefined,
  )
  if (dropped.length > 0) {
    warn(`\`${name}\` no longer has ${dropped.map((key) => `\`${key}\``).join(', ')}.`)
  }
}

async function profileOf(
  { orgHeader, tokenCommand, tokenStdin }: AddFlags,
  context: Context,
): Promise<Profile> {
  const flags = context.flags()
  const ways = [flags.tokenFile, tokenCommand, tokenStdin].filter((way) => way !== undefined)
  if (ways.length > 1) {
    throw new UsageError("`--token-file`, `--token-command` and `--token-stdin` can't be combined.")
  }
  const values: { [Key in ProfileKey]?: string | undefined } = {}
  for (const [name, { key, check, isPath }] of connectionSettings) {
    const value = flags[name]
    values[key] = isPath ? absolute(value, context) : value
    if (value !== undefined) check?.({ value, origin: `\`${settingFlag(name)}\`` })
  }
  values.org_header = orgHeader
  if (tokenStdin) {
    values.token = checkToken((await buffer(context.io.stdin)).toString('utf8'), 'standard input')
  }
  values.token_command = tokenCommand
  if (flags.timeout !== undefined) {
    values.timeout = formatInOneUnit(BigInt(Math.round(flags.timeout * 1e6)))
  }
  return defined(values)
}

function absolute(path: string | undefined, { io }: Context): string | undefined {
  return path && resolve(expandTilde(path, io.env))
}

/** `evq profile use`: sets the default profile. */
async function useProfile(name: string, context: Context): Promise<void> {
  const path = configPath(context.io.env)
  await changeAlone(path, async () => {
    const { profiles } = await readConfig(path)
    if (name !== LOCAL_PROFILE && !Object.hasOwn(profiles, name)) {
      throw unknownProfile(name, Object.keys(profiles), path)
    }
    await changeConfig({ profiles, default: name }, context)
  })
  warnOfVariables(context)
  context.info(`${name}: now the default`)
}

/** `evq profile remove`: removes a profile. When it was the default, there is no default afterwards. */
async function removeProfile(name: string, context: Context): Promise<void> {
  const path = configPath(context.io.env)
  await changeAlone(path, async () => {
    const { profiles, default: chosen } = await readConfig(path)
    if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, Object.keys(profiles), path)
    const { [name]: _, ...others } = profiles
    await changeConfig({ profiles: others, default: chosen === name ? undefined : chosen }, context)
  })
  context.info(`${name}: removed`)
}

/** Changes the configuration. Throws a `CommandError`, and changes nothing, when the file can't be edited line by line. */
async function changeConfig(wanted: Config, { io }: Context): Promise<void> {
  const path = configPath(io.env)
  const text = await editedConfig(path, wanted)
  if (text === undefined) {
    throw new CommandError(
      `\`${path}\` can't be edited automatically and was not changed. Edit it by hand.`,
    )
  }
  await writeConfigText(path, text)
}

/** `evq profile list`: one row per profile with its address and the source of its token, never the token. */
async function listProfiles(flags: PrintFlags, context: Context): Promise<void> {
  const { default: chosen, profiles } = await readConfig(configPath(context.io.env))
  const names = Object.keys(profiles).sort()
  if (names.length === 0) {
    context.info('There are no profiles. Commands work on the data directory.')
  }
  const rows = names.map((name) => ({ name, ...profiles[name] }))
  const columns: readonly ListColumn<(typeof rows)[number]>[] = [
    { name: 'name', of: ({ name }) => name },
    { name: 'default', type: 'boolean', of: ({ name }) => name === chosen },
    { name: 'url', of: ({ url }) => url },
    { name: 'org_id', of: ({ org_id }) => org_id },
    { name: 'token', of: tokenSource },
  ]
  await printList({ rows, columns }, context, flags)
}

/** Returns the source of a profile's token; null for a profile without a token. */
function tokenSource(profile: Profile): string | null {
  const key = TOKEN_KEYS.find((one) => profile[one] !== undefined)
  return key === 'token' ? 'in the configuration' : ((key && profile[key]) ?? null)
}

/** Warns that an environment variable overrides the default profile. */
function warnOfVariables({ io, warn }: Pick<Context, 'io' | 'warn'>): void {
  const variable = variableBefore(io.env)
  if (variable !== undefined) warn(`\`${variable}\` is set and overrides the default profile.`)
}
