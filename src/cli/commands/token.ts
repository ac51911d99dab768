import { Command } from 'commander'
import { writeText } from '../../render/write.js'
import type { Grant } from '../../service/auth/access.js'
import type { Tokens } from '../../service/auth/tokens.js'
import { formatInteger } from '../../text/integer.js'
import { isDatasetName } from '../../wire/http/dataset-name.js'
import { STARRED_ACTIONS, type StarredAction } from '../../wire/http/starred.js'
import { clock } from '../clock.js'
import type { Context } from '../context.js'
import { CommandError } from '../error/command-error.js'
import { UsageError } from '../error/usage-error.js'
import { EXIT } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { collect } from '../option/option.js'
import { durationOption } from '../option/quantity.js'
import { addListOptions, type PrintFlags } from '../output/flags.js'
import { type ClickHouseFlags, clickHouseOptions } from '../settings/clickhouse.js'
import { dataDirectory } from '../settings/settings.js'
import { type ListColumn, printList } from '../terminal/listing.js'

/** `evq token create|list|revoke` */
export function tokenCommand(context: Context): Command {
  const act = async (work: () => Promise<void>): Promise<void> => {
    refuseDeployment(context)
    await work()
    context.finish(EXIT.done)
  }
  return new Command('token')
    .summary('say who may use the local service, and for what')
    .description(
      'Makes and ends the tokens of the data directory. A service that runs on it knows of each change at once.',
    )
    .addCommand(
      new Command('create')
        .summary('make a token and print it')
        .description(
          'Makes a token and prints its text, which is not kept. It allows what the flags say and nothing else.',
        )
        .argument('<name>', 'what to call it')
        .option('--ingest <dataset>', 'may ingest into it, `*` into any; may be repeated', collect)
        .option('--query <dataset>', 'may query it, `*` any; may be repeated', collect)
        .option('--starred <actions>', 'saved queries: read,create,update,delete or `*`', collect)
        .option('--personal', 'allows everything, for the --org-id too if that is given')
        .addOption(
          durationOption('--expires <duration>', 'how long it can be used (without end): 30d'),
        )
        .option(...CLICKHOUSE)
        .option(...CLUSTER)
        .option(...CONFIG)
        .addHelpText('after', () => examples(CREATE_EXAMPLES))
        .action((name: string, flags: CreateFlags) =>
          act(() => createToken({ name, ...flags }, context)),
        ),
    )
    .addCommand(
      addListOptions(
        new Command('list')
          .summary('print what tokens there are')
          .description('Prints the tokens, one a row, and what they allow; never their text.'),
      )
        .option(...CLICKHOUSE)
        .option(...CLUSTER)
        .option(...CONFIG)
        .addHelpText('after', () => examples(['evq token list']))
        .action((flags: PrintFlags & ClickHouseFlags) => act(() => listTokens(flags, context))),
    )
    .addCommand(
      new Command('revoke')
        .summary('end a token')
        .description('Ends a token: no request is allowed with it any more.')
        .argument('<name or id>', 'which one')
        .option(...CLICKHOUSE)
        .option(...CLUSTER)
        .option(...CONFIG)
        .addHelpText('after', () => examples(['evq token revoke shipper']))
        .action((name: string, flags: ClickHouseFlags) =>
          act(() => revokeToken(name, flags, context)),
        ),
    )
    .addHelpText('after', () => examples(CREATE_EXAMPLES))
}

/** What `evq serve` was told of the ClickHouse that keeps the tokens. */
const CLICKHOUSE = ['--clickhouse <url>', 'where `evq serve --clickhouse` keeps them'] as const
const CLUSTER = ['--cluster <name>', 'the cluster that the server is of'] as const
const CONFIG = ['--clickhouse-config <file>', 'user, password, certificates and nodes'] as const

const CREATE_EXAMPLES = [
  'evq token create shipper --ingest logs --expires 90d > shipper.token',
  'evq token create board --query logs --query web --starred read',
  'evq token create anna --personal',
]

/** A deployment makes its tokens itself; one made here would be of no use there. */
function refuseDeployment(context: Context): void {
  const { url, profile } = context.flags()
  if (url === undefined && (profile === undefined || profile === 'local')) return
  throw new UsageError(
    '`evq token` is about the data directory of the local service. A deployment has its own way to make tokens.',
  )
}

/** Does work on the tokens of the data directory, or on those in ClickHouse. */
export async function withTokens<Result>(
  { flags, io }: Context,
  clickHouse: ClickHouseFlags,
  work: (tokens: Tokens) => Promise<Result>,
): Promise<Result> {
  const options = await clickHouseOptions(clickHouse, io.env)
  if (options !== undefined) {
    const { withSharedTokens } = await import('../../local/shared-tokens.js')
    return await withSharedTokens(options, clock(io), work)
  }
  const { openTokens } = await import('../../service/auth/tokens.js')
  const { tokenFile } = await import('../../local/token-file.js')
  const { fileOfClickHouse } = await import('../../local/directory-id.js')
  const directory = dataDirectory(flags(), io.env)
  if ((await fileOfClickHouse(directory)) !== undefined) {
    throw new UsageError(
      `The service on \`${directory}\` keeps its tokens in ClickHouse: \`--clickhouse <url>\` says where, as it does to \`evq serve\`.`,
    )
  }
  return await work(openTokens(tokenFile(directory), clock(io)))
}

/** Whether somebody gave a token itself where its name belongs; it must not be repeated on a screen. */
export function isTokenText(text: string): boolean {
  return /^xa[ap]t-/i.test(text)
}

export interface CreateFlags extends ClickHouseFlags {
  readonly ingest?: readonly string[]
  readonly query?: readonly string[]
  readonly starred?: readonly string[]
  readonly personal?: boolean
  /** Milliseconds. */
  readonly expires?: number
}

/** `evq token create`: the text of the token, and nothing else, goes to standard output. */
export async function createToken(
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
  const end = grant.expires === undefined ? 'without end' : `until ${grant.expires}`
  context.info(`${name}: allows ${permissions(grant)}, ${end}; shown this once`)
}

/** Makes a token, and no token when its text reaches nobody. */
async function createShown(tokens: Tokens, grant: Grant, { io }: Context): Promise<void> {
  const { name } = grant
  const token = await tokens.create(grant)
  if (token === undefined) {
    throw new CommandError(
      `There is a token \`${name}\` already. \`evq token revoke\` ends it; another name makes one beside it.`,
    )
  }
  try {
    await writeText(io.stdout, [`${token}\n`])
  } catch (error) {
    // Nobody has seen it, and nobody will.
    await tokens.revoke(name)
    throw error
  }
}

function checkName(name: string): void {
  if (isTokenText(name)) throw new UsageError('A token needs a name, not the text of a token.')
  if (/^[^\p{C}\s](?:[^\p{C}]{0,98}[^\p{C}\s])?$/u.test(name)) return
  throw new UsageError(
    'A token needs a name of 1 to 100 characters, without spaces at its ends or control characters.',
  )
}

function personal(
  { ingest, query, starred }: CreateFlags,
  { flags, io }: Context,
): Omit<Grant, 'name'> {
  if ((ingest ?? query ?? starred) !== undefined) {
    throw new UsageError(
      'A personal token allows everything: `--personal` goes without `--ingest`, `--query` and `--starred`.',
    )
  }
  const organization = flags().orgId ?? io.env.EVQ_ORG_ID
  return { personal: true, ...(organization && { organization }) }
}

function restricted({ ingest = [], query = [], starred = [] }: CreateFlags): Omit<Grant, 'name'> {
  if (ingest.length + query.length + starred.length === 0) {
    throw new UsageError(
      'The token would allow nothing: `--ingest`, `--query`, `--starred` or `--personal` says what it is for.',
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

/** The instant that a length of time ends at. */
function after(ms: number, { io }: Context): string {
  const end = new Date(io.now() + ms)
  if (ms > 0 && end.getUTCFullYear() < 10_000) return end.toISOString()
  throw new UsageError('`--expires` takes a time above zero and within reach, such as `30d`.')
}

/** `evq token list`: a token a row, by name. */
export async function listTokens(
  flags: PrintFlags & ClickHouseFlags,
  context: Context,
): Promise<void> {
  const all = [...(await withTokens(context, flags, (tokens) => tokens.list()))]
  all.sort((a, b) => (a.name < b.name ? -1 : 1))
  const column = (name: string, values: readonly unknown[], type = 'string'): ListColumn => ({
    name,
    type,
    values: values.map((value) => value ?? null),
    isSpare: name === 'kind' || name === 'created',
  })
  await printList(
    [
      column(
        'name',
        all.map(({ name }) => name),
      ),
      column(
        'kind',
        all.map(({ personal }) => (personal ? 'personal' : 'api')),
      ),
      column('permissions', all.map(permissions)),
      column(
        'created',
        all.map(({ created }) => created),
        'datetime',
      ),
      column(
        'expires',
        all.map(({ expires }) => expires),
        'datetime',
      ),
      column(
        'id',
        all.map(({ id }) => id),
        'id',
      ),
    ],
    context,
    flags,
  )
  context.info(all.length === 1 ? '1 token' : `${formatInteger(all.length)} tokens`)
}

/** What a token allows, as one text: `ingest logs, web; starred read`. */
export function permissions({ personal, organization, ...grant }: Grant): string {
  if (personal) return organization === undefined ? 'everything' : `everything as ${organization}`
  const parts = Object.entries({ ingest: grant.ingest, query: grant.query, starred: grant.starred })
  return parts
    .flatMap(([what, list = []]) => (list.length === 0 ? [] : [`${what} ${list.join(', ')}`]))
    .join('; ')
}

/** `evq token revoke`: ends the token of a name or id. */
export async function revokeToken(
  nameOrId: string,
  flags: ClickHouseFlags,
  context: Context,
): Promise<void> {
  if (isTokenText(nameOrId)) {
    throw new UsageError('A token is revoked by its name or id: `evq token list` tells them.')
  }
  const ended = await withTokens(context, flags, (tokens) => tokens.revoke(nameOrId))
  if (ended.length === 0) {
    throw new CommandError(
      `There is no token with the name or id \`${nameOrId}\`. \`evq token list\` tells which there are.`,
    )
  }
  for (const { name, id } of ended) context.info(`${name}: revoked (${id})`)
}
