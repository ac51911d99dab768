import { defineConfig } from 'vitest/config'
import { builtModules } from './support/built-modules.js'
import { ClosingLine } from './support/closing-line.js'

// As in `bin/evq.js`: each query in progress occupies a thread of Node's pool, and so does the statement that kills it.
process.env.UV_THREADPOOL_SIZE ??= '16'

export default defineConfig({
  plugins: [builtModules()],
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    // The engine is one native library per process: threads that share it crash, processes do not.
    pool: 'forks',
    // One more than the cores of the smallest machine: many tests wait for servers that start, or for time-outs.
    maxWorkers: 3,
    reporters: ['default', new ClosingLine()],
    // See `builtModules`.
    server: { deps: { external: [/^(?!.*node_modules).*\/dist\/.*\.js$/] } },
    testTimeout: 300_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
})
