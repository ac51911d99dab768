import { Command } from 'commander'
import { listStarredQueries, starredQueries } from '../../client/starred.js'
import { formatInteger } from '../../text/integer.js'
import type { StarredFilter, StoredStarredQuery } from '../../wire/http/starred.js'
import { withConnection } from '../connection/with-connection.js'
import type { Context } from '../context.js'
import { EXIT } from '../exit-code.js'
import { examples } from '../help/examples.js'
import { countOption } from '../option/option.js'
import { addListOptions, type PrintFlags } from '../output/flags.js'
import { type ListColumn, printList } from '../terminal/listing.js'
import { writeRecord } from './starred/difference.js'
import { addRecordOptions, type RecordFlags } from './starred/edit.js'
import { findStarred } from './starred/find.js'
import { addRunOptions, type RunFlags, runStarred, type StarredContext } from './starred/run.js'
import { createStarred, updateStarred } from './starred/write.js'

export function starredCommand(context: Context): Command {
  const act = async (work: (starred: StarredContext) => Promise<void>) => {
    const code = await withConnection(
      context,
      async ({ settings, connection, interrupt: { signal } }) => {
        const queries = starredQueries(connection, signal)
        const isLocal = settings.url === undefined
        await work({ context, connection, isLocal, queries, signal })
      },
    )
    if (code !== EXIT.done) context.finish(code)
  }
  const starred = new Command('starred')
    .description('Manages saved queries (starred queries) and runs them.')
    .addHelpText('after', () =>
      examples([...CREATE_EXAMPLES.slice(0, 1), 'evq starred run Errors']),
    )
  addRecordOptions(starred.command('create'))
    .summary('save a query')
    .description('Saves a query under a new id, which is printed with the record.')
    .addHelpText('after', () => examples(CREATE_EXAMPLES))
    .action((flags: RecordFlags) => act((starred) => createStarred(flags, starred)))
  addListOptions(
    starred
      .command('list')
      .option('--dataset <name>', 'only queries of a dataset')
      .option('--who <who>', 'only queries of an owner: an id, team, all or user')
      .option('--qs <text>', 'only queries with this text in their name or APL')
      .addOption(countOption('-n, --limit <queries>', 'maximum number of queries (all)')),
  )
    .summary('list the saved queries')
    .description('Prints the saved queries, one per row.')
    .addHelpText('after', () => examples(['evq starred list', 'evq starred list --qs errors']))
    .action((flags: StarredFilter & PrintFlags) => act((starred) => listStarred(flags, starred)))
  addRunOptions(starred.command('run'))
    .summary('run a saved query')
    .description('Runs a saved query like `evq query`.')
    .argument('<id or name>', 'id or name of the saved query')
    .addHelpText('after', () =>
      examples(['evq starred run Errors', 'evq starred run 5f1c --since 7d -o csv']),
    )
    .action((id: string, flags: RunFlags) => act((starred) => runStarred(id, flags, starred)))
  starred
    .command('get')
    .summary('print a saved query as JSON')
    .description('Prints a saved query as JSON.')
    .argument('<id or name>', 'id or name of the saved query')
    .addHelpText('after', () => examples(['evq starred get 5f1c > slow.json']))
    .action((id: string) =>
      act(async ({ queries, context: { io } }) => {
        writeRecord(await findStarred(queries, id), io)
      }),
    )
  addRecordOptions(starred.command('update'))
    .summary('replace or change a saved query')
    .description(
      'Replaces a saved query by the record in a file or on standard input, or changes what the flags set. Shows the difference.',
    )
    .argument('<id or name>', 'id or name of the saved query')
    .addHelpText('after', () => examples(UPDATE_EXAMPLES))
    .action((id: string, flags: RecordFlags) => act((starred) => updateStarred(id, flags, starred)))
  starred
    .command('delete')
    .summary('delete a saved query')
    .description('Deletes a saved query and prints its record.')
    .argument('<id or name>', 'id or name of the saved query')
    .addHelpText('after', () => examples(['evq starred delete 5f1c > slow.json']))
    .action((id: string) =>
      act(async ({ queries, context: { io, info } }) => {
        const record = await findStarred(queries, id)
        await queries.remove(record.id)
        writeRecord(record, io)
        info(`${record.name}: deleted; \`evq starred create -f\` restores the printed record`)
      }),
    )
  return starred
}

const UPDATE_EXAMPLES = [
  'evq starred update 5f1c --name "Slow requests" --since 1h',
  'evq starred update 5f1c -f slow.json --dry-run',
  'evq starred get 5f1c | jq \'.who = "team"\' | evq starred update 5f1c',
]

const CREATE_EXAMPLES = [
  `evq starred create --name Errors --apl "['logs'] | where status >= 500"`,
  'evq starred create -f slow.json',
]

/** `evq starred list`: one row per saved query. */
async function listStarred(
  { limit, dataset, who, qs, ...print }: StarredFilter & PrintFlags,
  { queries, context }: StarredContext,
): Promise<void> {
  const rows = await listStarredQueries(queries, { limit, dataset, who, qs })
  const columns: readonly ListColumn<StoredStarredQuery>[] = [
    { name: 'id', type: 'id', of: ({ id }) => id },
    { name: 'name', of: ({ name }) => name },
    { name: 'dataset', of: (query) => query.dataset, isSpare: true },
    { name: 'who', of: (query) => query.who, isSpare: true },
    { name: 'apl', of: ({ query }) => query.apl },
  ]
  await printList({ rows, columns }, context, print)
  context.info(rows.length === 1 ? '1 saved query' : `${formatInteger(rows.length)} saved queries`)
}
