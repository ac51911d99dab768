import { Command } from 'commander'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { EXIT } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { collected } from '../option/option.js'
import { durationOption } from '../option/quantity.js'
import { addListOptions, type PrintFlags } from '../output/flags.js'
import type { ClickHouseFlags } from '../settings/clickhouse.js'
import { type CreateFlags, createToken } from './token/create.js'
import { listTokens } from './token/list.js'
import { revokeToken } from './token/revoke.js'

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
        .option(
          '--ingest <dataset>',
          'may ingest into it, `*` into any; may be repeated',
          collected,
        )
        .option('--query <dataset>', 'may query it, `*` any; may be repeated', collected)
        .option('--starred <actions>', 'saved queries: read,create,update,delete or `*`', collected)
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
