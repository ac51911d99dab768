import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TESTS = join(import.meta.dirname, '..')

/**
 * The second stage, `npm run test:system`: tests of whole systems, which start several servers or processes by nature, and
 * those that take several seconds of CPU time. `smoke.test.ts` has small tests of their subjects, and is part of the first
 * stage, `npm test`, like all other files.
 */
export const SYSTEM = [
  // ClickHouse servers: alone, as shards, as replicas.
  ...['remote/*', 'support/replicas/*', 'engine/clickhouse/scan'],
  // Processes that are killed.
  ...['kill/*', 'engine/{crash,promotion-crash}', 'engine/clickhouse/forced-exit'],
  ...['service/survival', 'cli/page-checkpoint'],
  // Hostile and large inputs, full disks, load.
  ...['hostile/*', 'safety/*', 'fuzz/*', 'load/*', 'service/{damage,full-disk,slow,wide-events}'],
  'cli/{doubtful-responses,long-line,long-query,page-long-rows,stream-memory}',
  ...['cli/commands/ingest/full-disk', 'input/log/format/linear-time'],
  // SDKs.
  'clients/{axiom-go,axiom-py,js-loggers,js-sdk,otlp-py}',
  // The installed package, and programs that run together: services, shells, terminals, pipes.
  ...['bin/*', 'end-to-end', 'client/route', 'local/{open-directory,resource-limits,serve}'],
  'cli/{every-command,other-programs,pager,parquet,query-inputs,query-stream,shell-loop}',
  ...['cli/{serve-log,serve-stop,serve-syslog}', 'cli/commands/serve'],
  'cli/connection/{connect,hand-over,keep-warm}',
  ...['cli/commands/completion/*', 'cli/commands/lsp/server'],
  'cli/commands/query/{cancel,default-range,why}',
  'cli/commands/view/{any-keys,original,session,session-end,view}',
  'cli/commands/query/prompt/{commands,line-editor,prompt,shared-directory}',
  ...['cli/commands/tail/{around,grep,tail}', 'cli/around/query'],
  ...[
    'cli/commands/ingest/{exit-code,multiline}',
    'cli/ingest/{read/follow,checkpoint/{checkpoint,replace},option/reading-flags}',
    'input/{follow,resume}',
  ],
  ...['cli/terminal', 'cli/terminal/*', 'support/{closing-line,temporary}'],
  // Several seconds of CPU time, for many commands, queries or events.
  ...[
    'acceptance/inventory',
    'apl/arbitrary-text',
    'cli/commands/{dataset,starred,starred/by-name}',
  ],
  'cli/{diff,help-examples,help-shippers,page-projected,secrets}',
  'cli/{ingest-formats,ingest-levels,ingest-samples,ingest-time-field,page-local,page-parallel}',
  'cli/{pattern-chart,query-fields,query-scan,query-scan-any}',
  'engine/{catalog/{deletion,field-limit},clickhouse/embedded,columns/{array-column,promotion},input/input-scan}',
  'engine/{ingest/{dataset-rename,journal,scan/event-scanner},maintenance/{batch-removal,damage-watch}}',
  'engine/{deduplication/{arrived-batches,saved-outcomes},field-density,lean-rows,lost-responses,search,token-index}',
  ...['input/log/{formats-apart,sample-slices,sample-variants,two-programs}', 'input/log/thread/*'],
  'input/log/{format/prefilter,multiline/multiline,time/line-times}',
  ...['service/{legacy-groups,retention,union-cursor}', 'service/syslog/syslog'],
  'service/ingest/{elastic/clients,firehose,pieces-in-turns,protocol}',
  'service/query/{backward,cursor,large-search,replaced-field,result-cache,scan-page}',
  'service/query/{statistics-cache,within-range}',
  'sql/{aggregate/aggregates,collections,message-pattern,nesting,prefilter,text-functions}',
  'sql/{text-properties,token-filter,type/arithmetic,wide}',
].map(testFiles)

/** The files with properties, which the second stage tries again, more often. */
export const THOROUGH = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    file.endsWith('.test.ts') && readFileSync(join(TESTS, file), 'utf8').includes('/runs.js'),
)

/** See `runs.ts`. */
export const THOROUGH_RUNS = 50

const isEmbedded = (process.env.EVQ_TEST_ENGINE ?? 'embedded') === 'embedded'

/**
 * Test files that share processes, which saves loading the same modules again. They start no program, and close their
 * engine, which may not be servers: those are stopped after the first file that uses them.
 */
export const SHARED = [
  ...['apl/**/*', 'input/**/*', 'render/**/*', 'text/**/*', 'wire/**/*'],
  ...['client/!(route)', 'client/pages/*'],
  ...['cli/{durations,help-topics,main,query-filter}', 'cli/{error,option,settings}/*'],
  ...[
    'cli/commands/diff/*',
    'cli/commands/{format,ingest,profile,serve/limit-options}',
    'cli/around/{find,live}',
  ],
  'cli/commands/view/{columns,context-rows,event-line,file-labels,fold,leave,panel,target,update}',
  ...['cli/commands/tail/{arriving,poll}', 'cli/commands/query/prompt/input'],
  ...['cli/output/{response-page,rows}', 'cli/query/{completion,request-options}'],
  'cli/ingest/{checkpoint/batch-ids,read/format-name}',
  'cli/ingest/{report/moving-rate,send/*}',
  ...(isEmbedded
    ? [
        ...['cases', 'acceptance/*', 'safety/*', 'specification/*', 'sql/**/*'],
        'cli/{json-errors,query-check}',
        'cli/connection/!(keep-warm)',
        'engine/!(crash|promotion-crash)',
        'engine/{catalog,columns,deduplication,ingest,input,maintenance,parquet}/**/*',
        'engine/clickhouse/session-pool',
        'engine/cluster/{steady-clock,topology}',
        'fuzz/!(http)',
        'service/!(damage|full-disk|survival)',
        'service/listener/listen',
        'service/{auth,ingest,query,syslog}/**/*',
      ]
    : []),
].map(testFiles)

function testFiles(files: string): string {
  return `${files}.test.ts`
}
