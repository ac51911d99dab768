import { Command } from 'commander'
import { writeText } from '../../render/write.js'
import type { Grant } from '../../service/auth/grant.js'
import type { Tokens } from '../../service/auth/tokens.js'
import { counted } from '../../text/integer.js'
import { isDatasetName } from '../../wire/http/dataset-name.js'
import { STARRED_ACTIONS, type StarredAction } from '../../wire/http/starred.js'
import { type Context, clock, type Flags } from '../context.js'
import { CommandError } from '../error/command-error.js'
import { UsageError } from '../error/usage-error.js'
import { examples } from '../help/examples.js'
import { collect } from '../option/option.js'
import { durationOption } from '../option/quantity.js'
import { addListOptions, type PrintFlags } from '../output/flags.js'
import { choose } from '../settings/choice.js'
import { type ClickHouseFlags, clickHouseOptions } from '../settings/clickhouse.js'
import type { Environment } from '../settings/config.js'
import { dataDirectory } from '../settings/settings.js'
import { type ListColumn, printList } from '../terminal/listing.js'

export function tokenCommand(context: Context): Command {
  const act = async (flags: ClickHouseFlags, work: () => Promise<void>): Promise<void> => {
    if (flags.clickhouse === undefined) await refuseDeployment(context)
    await work()
  }
  const token = new Command('token')
    .description(
      'Manages the tokens of the data directory. Changes take effect immediately in a running service.',
    )
    .addHelpText('after', () => examples(CREATE_EXAMPLES))
  token
    .command('create')
    .summary('create a token and print it')
    .description(
      "Creates a token and prints it. It is not stored and can't be printed again. The token allows only what the flags allow.",
    )
    .argument('<name>', 'name of the token')
    .option('--ingest <dataset>', 'allow ingest into a dataset, `*` for any; repeatable', collect)
    .option('--query <dataset>', 'allow queries of a dataset, `*` for any; repeatable', collect)
    .option('--starred <actions>', 'on saved queries: read,create,update,delete or `*`', collect)
    .option('--personal', 'allow everything, for --org-id only if it is set')
    .addOption(durationOption('--expires <duration>', 'lifetime of the token: 30d (unlimited)'))
    .addHelpText('after', () => examples(CREATE_EXAMPLES))
    .action((name: string, flags: CreateFlags) =>
      act(flags, () => createToken({ name, ...flags }, context)),
    )
  addListOptions(
    token
      .command('list')
      .summary('list the tokens')
      .description(
        'Prints the tokens with their permissions, one per row, but never the text of a token.',
      ),
  )
    .addHelpText('after', () => examples(['evq token list']))
    .action((flags: PrintFlags & ClickHouseFlags) => act(flags, () => listTokens(flags, context)))
  token
    .command('revoke')
    .summary('revoke a token')
    .description('Revokes a token: requests with it are denied from then on.')
    .argument('<name or id>', 'name or id of the token')
    .addHelpText('after', () => examples(['evq token revoke shipper']))
    .action((name: string, flags: ClickHouseFlags) =>
      act(flags, () => revokeToken(name, flags, context)),
    )
  for (const command of token.commands) {
    command
      .option('--clickhouse <url>', 'ClickHouse server that stores the tokens')
      .option('--cluster <name>', 'cluster of the server')
      .option('--clickhouse-config <file>', 'user, password, certificates and nodes')
  }
  return token
}

const CREATE_EXAMPLES = [
  'evq token create shipper --ingest logs --expires 90d > shipper.token',
  'evq token create board --query logs --query web --starred read',
  'evq token create anna --personal',
]

/** Throws a `UsageError` when the settings select a deployment, which would not know the tokens of the data directory. */
async function refuseDeployment({ flags, io }: Context): Promise<void> {
  const choice = await choose(flags(), io.env)
  if (choice.kind === 'local') return
  const directory = dataDirectory(flags(), io.env)
  throw new UsageError(
    `${selector(choice.profile?.name, flags(), io.env)} selects a deployment, but \`evq token\` manages tokens in a data directory. \`-P local\` selects \`${directory}\`, and \`--data-dir\` the directory of another service on this machine. A deployment elsewhere has its own way to create tokens.`,
  )
}

/** Returns the setting that selects the deployment, as messages name it. */
function selector(profile: string | undefined, flags: Flags, env: Environment): string {
  if (profile !== undefined) return `The profile \`${profile}\``
  if ((flags.url ?? flags.ingestUrl) !== undefined) return '`--url`'
  return env.EVQ_URL ? '`EVQ_URL`' : '`EVQ_INGEST_URL`'
}

/** Runs `work` with the tokens of the data directory, or with the tokens in ClickHouse. */
export async function withTokens<Result>(
  { flags, io }: Context,
  clickHouse: ClickHouseFlags,
  work: (tokens: Tokens) => Promise<Result>,
): Promise<Result> {
  const options = await clickHouseOptions(clickHouse, io.env)
  if (options !== undefined) {
    const { withSharedTokens } = await import('../../local/clickhouse.js')
    return await withSharedTokens(options, clock(io), work)
  }
  const { openTokens } = await import('../../service/auth/tokens.js')
  const { tokenFile } = await import('../../local/token-file.js')
  const { fileOfClickHouse } = await import('../../local/directory-id.js')
  const directory = dataDirectory(flags(), io.env)
  if ((await fileOfClickHouse(directory)) !== undefined) {
    throw new UsageError(
      `The service on \`${directory}\` keeps its tokens in ClickHouse. Set the same \`--clickhouse <url>\` as for \`evq serve\`.`,
    )
  }
  return await work(openTokens(tokenFile(directory), clock(io)))
}

/** True for a token that was given in place of a name; it must not be printed. */
function isTokenText(text: string): boolean {
  return /^xa[ap]t-/i.test(text)
}

interface CreateFlags extends ClickHouseFlags {
  readonly ingest?: readonly string[]
  readonly query?: readonly string[]
  readonly starred?: readonly string[]
  readonly personal?: boolean
  /** Milliseconds. */
  readonly expires?: number
}

/** `evq token create`: prints only the token on standard output. */
async function createToken(
  { name, expires, ...flags }: CreateFlags & { readonly name: string },
  context: Context,
): Promise<void> {
  checkName(name)
  const grant: Grant = {
    name,
    ...(flags.personal ? personal(flags, context) : restricted(flags)),
    ...(expires !== undefined && { expires: after(expires, context) }),
  }
  await withTokens(context, flags, (tokens) => createShown(tokens, grant, context))
  const end = grant.expires === undefined ? 'does not expire' : `expires ${grant.expires}`
  context.info(`${name}: allows ${permissions(grant)}, ${end}; shown only once`)
}

/** Creates a token and prints it. When it can't be printed, the token is revoked. */
async function createShown(tokens: Tokens, grant: Grant, { io }: Context): Promise<void> {
  const { name } = grant
  const token = await tokens.create(grant)
  if (token === undefined) {
    throw new CommandError(
      `A token with the name \`${name}\` exists already. Revoke it with \`evq token revoke\`, or use another name.`,
    )
  }
  try {
    await writeText(io.stdout, [`${token}\n`])
  } catch (error) {
    // A token whose text is not known is useless.
    await tokens.revoke(name)
    throw error
  }
}

function checkName(name: string): void {
  if (isTokenText(name))
    throw new UsageError('A token needs a name, which must not be a token itself.')
  if (/^[^\p{C}\s](?:[^\p{C}]{0,98}[^\p{C}\s])?$/u.test(name)) return
  throw new UsageError(
    'The name of a token has 1 to 100 characters, no control characters, and no space at either end.',
  )
}

function personal(
  { ingest, query, starred }: CreateFlags,
  { flags, io }: Context,
): Omit<Grant, 'name'> {
  if ((ingest ?? query ?? starred) !== undefined) {
    throw new UsageError(
      "`--personal` allows everything and can't be combined with `--ingest`, `--query` and `--starred`.",
    )
  }
  const organization = flags().orgId ?? io.env.EVQ_ORG_ID
  return { personal: true, organization: organization || undefined }
}

function restricted({ ingest = [], query = [], starred = [] }: CreateFlags): Omit<Grant, 'name'> {
  if (ingest.length + query.length + starred.length === 0) {
    throw new UsageError(
      'The token would allow nothing. Add `--ingest`, `--query`, `--starred` or `--personal`.',
    )
  }
  return {
    personal: false,
    ingest: datasets('--ingest', ingest),
    query: datasets('--query', query),
    starred: actions(starred),
  }
}

function datasets(flag: string, names: readonly string[]): readonly string[] {
  const wrong = names.find((name) => name !== '*' && !isDatasetName(name))
  if (wrong === undefined) return names.includes('*') ? ['*'] : [...new Set(names)]
  throw new UsageError(`\`${flag}\` takes the name of a dataset or \`*\`, not \`${wrong}\`.`)
}

function actions(given: readonly string[]): readonly StarredAction[] {
  const words = given.flatMap((one) => one.split(',')).map((word) => word.trim())
  const known: readonly string[] = ['*', ...STARRED_ACTIONS]
  const wrong = words.find((word) => !known.includes(word))
  if (wrong !== undefined) {
    throw new UsageError(
      `\`--starred\` takes ${STARRED_ACTIONS.join(', ')} with commas between them, or \`*\`, not \`${wrong}\`.`,
    )
  }
  return STARRED_ACTIONS.filter((action) => words.includes('*') || words.includes(action))
}

/** Returns the end of a lifetime as RFC 3339. Throws a `UsageError` when it is not in the future or not before the year 10000. */
function after(ms: number, { io }: Context): string {
  const end = new Date(io.now() + ms)
  if (ms > 0 && end.getUTCFullYear() < 10_000) return end.toISOString()
  throw new UsageError(
    '`--expires` takes a duration above zero that ends before the year 10000, such as `30d`.',
  )
}

/** `evq token list`: one row per token, sorted by name. */
async function listTokens(flags: PrintFlags & ClickHouseFlags, context: Context): Promise<void> {
  const rows = [...(await withTokens(context, flags, (tokens) => tokens.list()))]
  rows.sort((a, b) => (a.name < b.name ? -1 : 1))
  const columns: readonly ListColumn<(typeof rows)[number]>[] = [
    { name: 'name', of: ({ name }) => name },
    { name: 'kind', of: ({ personal }) => (personal ? 'personal' : 'api'), isSpare: true },
    { name: 'permissions', of: permissions },
    { name: 'created', type: 'datetime', of: ({ created }) => created, isSpare: true },
    { name: 'expires', type: 'datetime', of: ({ expires }) => expires },
    { name: 'id', type: 'id', of: ({ id }) => id },
  ]
  await printList({ rows, columns }, context, flags)
  context.info(counted(rows.length, 'token'))
}

/** Formats the permissions of a token: `ingest logs, web; starred read`. */
export function permissions({ personal, organization, ...grant }: Grant): string {
  if (personal) return organization === undefined ? 'everything' : `everything as ${organization}`
  const parts = Object.entries({ ingest: grant.ingest, query: grant.query, starred: grant.starred })
  return parts
    .flatMap(([what, list = []]) => (list.length === 0 ? [] : [`${what} ${list.join(', ')}`]))
    .join('; ')
}

/** `evq token revoke`: revokes the tokens with a name or id. Throws a `CommandError` when there is no such token. */
export async function revokeToken(
  nameOrId: string,
  flags: ClickHouseFlags,
  context: Context,
): Promise<void> {
  if (isTokenText(nameOrId)) {
    throw new UsageError('A token is revoked by its name or id. `evq token list` prints them.')
  }
  const ended = await withTokens(context, flags, (tokens) => tokens.revoke(nameOrId))
  if (ended.length === 0) {
    throw new CommandError(
      `There is no token with the name or id \`${nameOrId}\`. \`evq token list\` prints all tokens.`,
    )
  }
  for (const { name, id } of ended) context.info(`${name}: revoked (${id})`)
}
