import { Command } from 'commander'
import { isDatasetName } from '../wire/dataset-name.js'
import type { Context } from './context.js'
import { EXIT } from './exit-code.js'
import { examples } from './help.js'
import { printList } from './listing.js'
import { durationText } from './quantity.js'
import { address, proxyAddress } from './settings/address.js'
import { LOCAL_PROFILE } from './settings/choice.js'
import {
  type Config,
  configPath,
  type Profile,
  readConfig,
  readConfigText,
  writeConfigText,
} from './settings/config.js'
import { decodeConfig } from './settings/decode-config.js'
import { withDefault, withoutProfile, withProfile } from './settings/edit-config.js'
import { checked } from './settings/token.js'
import { unknownProfile } from './settings/unknown-profile.js'
import { UsageError } from './usage-error.js'

/** `evq profile add|list|use|remove` */
export function profileCommand(context: Context): Command {
  const finish = async (done: Promise<void>): Promise<void> => {
    await done
    context.finish(EXIT.done)
  }
  return new Command('profile')
    .summary('name deployments')
    .description(
      'Names deployments, so that `--profile prod` or a default stands for an address, a token and the rest. The shared flags say what a profile holds: --url, --ingest-url, --org-id, --token-file, --ca-file, --proxy, --timeout.',
    )
    .addCommand(addCommand(context, finish))
    .addCommand(
      new Command('list')
        .summary('print the profiles')
        .description('Prints the profiles, and where each has its token from; never the token.')
        .addHelpText('after', () => examples(['evq profile list']))
        .action(() => finish(list(context))),
    )
    .addCommand(
      new Command('use')
        .summary('choose the default')
        .description(
          'Makes a profile the one that is meant when nothing else is said; `local` is the data directory.',
        )
        .argument('<profile>', 'a profile, or `local`')
        .addHelpText('after', () => examples(['evq profile use prod', 'evq profile use local']))
        .action((name: string) => finish(use(name, context))),
    )
    .addCommand(
      new Command('remove')
        .summary('forget a profile')
        .description('Removes a profile from the configuration.')
        .argument('<profile>', 'a profile')
        .addHelpText('after', () => examples(['evq profile remove staging']))
        .action((name: string) => finish(remove(name, context))),
    )
    .addHelpText('after', () => examples(PROFILE_EXAMPLES))
}

const PROFILE_EXAMPLES = [
  'evq profile add prod --url https://logs.example.com --token-file ~/.evq-token',
  'evq profile use prod',
  'evq query "[\'logs\'] | count" --profile staging',
]

interface AddFlags {
  readonly orgHeader?: string
  readonly tokenCommand?: string
  readonly tokenStdin?: boolean
}

function addCommand(context: Context, finish: (done: Promise<void>) => Promise<void>): Command {
  return new Command('add')
    .summary('add a profile, or replace one')
    .description(
      'Adds a profile, or replaces the one of that name. No flag takes the text of a token.',
    )
    .argument('<name>', 'what to call it')
    .option('--org-header <name>', 'what the organization header is called there')
    .option('--token-command <command>', 'a command that prints the token')
    .option('--token-stdin', 'keep the token that standard input holds')
    .addHelpText('after', () =>
      examples([
        PROFILE_EXAMPLES[0]!,
        "evq profile add prod --url https://logs.example.com --token-command 'pass evq'",
        'evq profile add prod --url https://logs.example.com --token-stdin < token',
      ]),
    )
    .action((name: string, flags: AddFlags) => finish(add(name, flags, context)))
}

async function add(name: string, flags: AddFlags, context: Context): Promise<void> {
  if (name === LOCAL_PROFILE || !isDatasetName(name)) {
    throw new UsageError(
      name === LOCAL_PROFILE
        ? '`local` always stands for the data directory; another name is needed.'
        : `\`${name}\` can't name a profile: letters, digits, \`_\`, \`.\` and \`-\` can.`,
    )
  }
  const profile = await profileOf(flags, context)
  await change(context, (text, { profiles }) => {
    const isFirst = Object.keys(profiles).length === 0
    const added = withProfile(text, name, profile)
    return isFirst ? withDefault(added, name) : added
  })
  const { default: chosen } = await readConfig(configPath(context.io.env))
  context.say(
    chosen === name
      ? `${name}: added, and the default`
      : `${name}: added; \`evq profile use ${name}\` makes it the default`,
  )
}

async function profileOf(
  { orgHeader, tokenCommand, tokenStdin }: AddFlags,
  context: Context,
): Promise<Profile> {
  const { url, ingestUrl, orgId, tokenFile, caFile, proxy, timeout } = context.flags()
  if (url === undefined) throw new UsageError('A profile needs an address: give `--url`.')
  const ways = [tokenFile, tokenCommand, tokenStdin].filter((way) => way !== undefined)
  if (ways.length > 1) {
    throw new UsageError('One of `--token-file`, `--token-command` and `--token-stdin` is enough.')
  }
  address({ value: url, origin: '`--url`' })
  if (ingestUrl !== undefined) address({ value: ingestUrl, origin: '`--ingest-url`' })
  if (proxy !== undefined) proxyAddress({ value: proxy, origin: '`--proxy`' })
  const token = tokenStdin ? checked(await textOf(context), 'standard input') : undefined
  const values: { readonly [Key in keyof Profile]-?: string | undefined } = {
    url,
    ingest_url: ingestUrl,
    org_id: orgId,
    org_header: orgHeader,
    labels_header: undefined,
    csv_fields_header: undefined,
    batch_id_header: undefined,
    trace_id_header: undefined,
    token,
    token_file: tokenFile,
    token_command: tokenCommand,
    timeout: timeout === undefined ? undefined : durationText(timeout),
    ca_file: caFile,
    proxy,
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

async function textOf({ io }: Context): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of io.stdin) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString('utf8')
}

async function list(context: Context): Promise<void> {
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

async function use(name: string, context: Context): Promise<void> {
  await change(context, (text, { profiles }, path) => {
    if (name !== LOCAL_PROFILE && !Object.hasOwn(profiles, name)) {
      throw unknownProfile(name, Object.keys(profiles), path)
    }
    return withDefault(text, name)
  })
  context.say(`${name}: the default`)
}

async function remove(name: string, context: Context): Promise<void> {
  await change(context, (text, { profiles, default: chosen }, path) => {
    if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, Object.keys(profiles), path)
    const rest = withoutProfile(text, name)
    return chosen === name ? withDefault(rest, undefined) : rest
  })
  context.say(`${name}: removed`)
}

/** Changes the configuration; a change that would break it is not made. */
async function change(
  { io }: Context,
  edit: (text: string, config: Config, path: string) => string,
): Promise<void> {
  const path = configPath(io.env)
  const config = await readConfig(path)
  const text = edit(await readConfigText(path), config, path)
  await decodeConfig(path, text)
  await writeConfigText(path, text)
}
