import { configDefaults, defineConfig } from 'vitest/config'
import { builtModules } from './support/built-modules.js'
import { ClosingLine } from './support/closing-line.js'
import { SHARED, SYSTEM, THOROUGH, THOROUGH_RUNS } from './support/stages.js'

// As in `bin/evq.js`: each query in progress occupies a thread of Node's pool, and so does the statement that kills it.
process.env.UV_THREADPOOL_SIZE ??= '16'

const isEmbedded = (process.env.EVQ_TEST_ENGINE ?? 'embedded') === 'embedded'

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
          exclude: [...configDefaults.exclude, ...SYSTEM],
          isolate: false,
          setupFiles: ['support/shared-process.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARED, ...SYSTEM],
        },
      },
      { extends: true, test: { name: 'system', include: SYSTEM } },
      // Not when files are chosen by their names, which would run them twice.
      ...(process.env.EVQ_STAGE === 'system'
        ? [
            {
              extends: true as const,
              test: { name: 'thorough', include: THOROUGH, env: { EVQ_RUNS: `${THOROUGH_RUNS}` } },
            },
          ]
        : []),
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
