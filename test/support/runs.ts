import { configureGlobal } from 'fast-check'

/**
 * How often a property is tried: a cheap one several times as often, a costly one a share of it. A multiple of 10. The
 * first stage tries each a few times, the second more often (`stages.ts`), and `npm run test:long` for hours (`long.js`).
 */
export const RUNS = Number(process.env.EVQ_RUNS ?? 10)

// The same values in each run of the tests, so that a failure is one of the change. `npm run test:long` tries others.
configureGlobal({ seed: Number(process.env.EVQ_SEED ?? 1), numRuns: 5 * RUNS })
