import { writeText } from '../../../render/write.js'
import type { Grant } from '../../../service/auth/access.js'
import type { Tokens } from '../../../service/auth/tokens.js'
import { isDatasetName } from '../../../wire/http/dataset-name.js'
import { STARRED_ACTIONS, type StarredAction } from '../../../wire/http/starred.js'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { UsageError } from '../../error/usage-error.js'
import type { ClickHouseFlags } from '../../settings/clickhouse.js'
import { permissions } from './list.js'
import { isTokenText, withTokens } from './open.js'

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
  context.say(`${name}: allows ${permissions(grant)}, ${end}; shown this once`)
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
