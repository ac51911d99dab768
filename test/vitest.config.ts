import { configDefaults, defineConfig } from 'vitest/config'
import { builtModules } from './support/built-modules.js'
import { ClosingLine } from './support/closing-line.js'

// As in `bin/evq.js`: each query in progress occupies a thread of Node's pool, and so does the statement that kills it.
process.env.UV_THREADPOOL_SIZE ??= '16'

const isEmbedded = (process.env.EVQ_TEST_ENGINE ?? 'embedded') === 'embedded'

/**
 * Test files that share processes, which saves loading the same modules again. They start no program, and close their
 * engine, which may not be servers: those are stopped after the first file that uses them.
 */
const SHARED = [
  ...['apl/**/*', 'input/**/*', 'render/**/*', 'text/**/*', 'wire/**/*'],
  ...['client/!(route)', 'client/pages/*'],
  ...['cli/{durations,help-topics,main,query-filter}', 'cli/{option,settings}/*'],
  ...['cli/commands/{diff,page}/*', 'cli/commands/{format,ingest,profile}'],
  ...(isEmbedded
    ? [
        ...['cases', 'acceptance/*', 'safety/*', 'specification/*', 'sql/**/*'],
        'cli/{json-errors,query-check}',
        'cli/connection/!(keep-warm)',
        'engine/!(crash|promotion-crash)',
        'engine/{catalog,columns,deduplication,ingest,input,maintenance,parquet}/**/*',
        'engine/clickhouse/{kill-attempts,response,session-pool}',
        'engine/cluster/{steady-clock,topology}',
        'fuzz/!(http)',
        'service/!(full-disk|survival)',
        'service/listener/listen',
        'service/{auth,ingest,query,syslog}/**/*',
      ]
    : []),
].map((files) => `${files}.test.ts`)

export default defineConfig({
  plugins: [builtModules()],
  test: {
    root: import.meta.dirname,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: SHARED,
          isolate: false,
          setupFiles: ['support/shared-process.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARED],
        },
      },
    ],
    // The engine is one native library per process: threads that share it crash, processes do not.
    pool: 'forks',
    // Twice the cores of the smallest machine: many tests wait for servers that start, or for time-outs. Each worker has
    // servers of its own when the engine is not embedded. `--maxWorkers` does not change the projects.
    maxWorkers: isEmbedded ? 4 : 1,
    reporters: ['default', new ClosingLine()],
    // See `builtModules`.
    server: { deps: { external: [/^(?!.*node_modules).*\/dist\/.*\.js$/] } },
    testTimeout: isEmbedded ? 300_000 : 900_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
})
