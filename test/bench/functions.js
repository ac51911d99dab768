// The CPU time of every function, operator and aggregation for an event, beside reading the same columns. No call may fall off a
// cliff: above 10 µs for a small event, or 20 times the plain reading for a large one. `EVQ_BENCH_CALL` selects the calls that
// contain it, `EVQ_BENCH_DATA` a data set.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AGGREGATES } from '../../dist/apl/aggregate/aggregates.js'
import { FUNCTIONS } from '../../dist/apl/function/functions.js'
import { OPERATOR_REFERENCE } from '../../dist/apl/operator-reference.js'
import { BINARY_OPERATORS, MEMBERSHIP_OPERATORS } from '../../dist/apl/syntax/ast.js'
import { openEmbedded } from '../../dist/engine/clickhouse/embedded.js'
import { openStore } from '../../dist/engine/store.js'
import { AGGREGATIONS, CALLS, CONDITIONS, PIPELINES } from './functions/calls.js'
import { DATASETS, eventChunks } from './functions/events.js'
import { compiled, NOW } from './queries.js'

const ONLY = process.env.EVQ_BENCH_CALL ?? ''
const ONLY_DATA = process.env.EVQ_BENCH_DATA ?? ''
const LIMITS = { timeoutMs: 60_000, memoryBytes: 2 ** 32 }
const ALLOWED_MICROSECONDS = 10
const ALLOWED_TIMES = 20
/** The rows of a data set that are printed even if they are within the limits. */
const SHOWN = 20

/** Values that the query computes, in place of fields. */
const COMPUTED = {
  msg: 'replace_string("  ", " ", strcat(msg, " ", s))',
  s: 'tolower(trim(" ", s))',
  n: '(n + strlen(s))',
  x: '(x * n / 3.0)',
  ip: 'trim(" ", strcat(ip, " "))',
  url: 'replace_string("html", "htm", url)',
  arr: 'array_slice(arr, 1, -1)',
  arr2: 'array_reverse(arr2)',
  sarr: 'array_concat(sarr, pack_array(s))',
  pairs: 'array_slice(pairs, 0, -2)',
  kv: 'array_reverse(kv)',
  js: 'replace_string(" ", "", js)',
  csv: 'strcat(csv, ",", s)',
  b64: 'trim(" ", b64)',
  path: 'tolower(strcat(path, s))',
  msgs: 'array_concat(msgs, pack_array(s))',
}
const FIELD =
  /"(?:[^"\\]|\\.)*"|(?<![\w.])(?:msg|ip6?|arr2?|sarr|pairs|kv|js|csv|b64|path|msgs|url|s|n|x)\b(?! =)/g

export async function run(report) {
  for (const name of missing()) report({ name: `no call of ${name}`, ms: 1, target: 0 })
  const directory = mkdtempSync(join(tmpdir(), 'evq-bench-'))
  const engine = await openEmbedded({ directory: join(directory, 'engine') })
  const store = await openStore({ directory, now: () => NOW, engine })
  try {
    const names = Object.keys(DATASETS).filter((name) => name.includes(ONLY_DATA))
    for (const dataset of names) await fill(store, dataset)
    for (const dataset of names) {
      await engine.run({ kind: 'sql', text: `OPTIMIZE TABLE datasets.\`${dataset}\` FINAL` })
      await engine.run({ kind: 'sql', text: `SYSTEM STOP MERGES datasets.\`${dataset}\`` })
    }
    for (const dataset of names) await measure({ engine, store, dataset, report })
  } finally {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The words of the language that no call contains. */
function missing() {
  const calls = [...CALLS, ...CONDITIONS, ...AGGREGATIONS, ...PIPELINES].join('\n')
  const calledNames = [...Object.keys(FUNCTIONS), ...Object.keys(AGGREGATES)]
  return [
    ...calledNames.filter((name) => !new RegExp(`\\b${name}\\(`).test(calls)),
    ...[...BINARY_OPERATORS, ...MEMBERSHIP_OPERATORS].filter(
      (name) => !calls.includes(` ${name} `),
    ),
    ...Object.keys(OPERATOR_REFERENCE).filter(
      (name) => !PIPELINES.some((pipeline) => new RegExp(`(^|\\| )${name}\\b`).test(pipeline)),
    ),
  ]
}

async function fill(store, dataset) {
  for (const chunk of eventChunks(DATASETS[dataset])) {
    const path = join(store.spool, 'events.ndjson')
    writeFileSync(path, chunk)
    const lines = { kind: 'file', path }
    await store.ingest({ dataset, lines, arrivedAt: NOW, timestampField: '_time' })
    rmSync(path, { force: true })
  }
}

async function measure({ engine, store, dataset, report }) {
  const microseconds = async (apl) => {
    const ms = await cpuMs(engine, compiled(apl, store))
    return (ms * 1_000) / DATASETS[dataset].events
  }
  const plain = new Map()
  const rows = []
  for (const { apl, reading } of queries(dataset)) {
    if (!plain.has(reading)) plain.set(reading, await microseconds(reading))
    const handMs = plain.get(reading)
    const row = { name: apl, unit: 'µs', handMs, beside: 'to read' }
    try {
      const isSmall = DATASETS[dataset].size === 1
      const times = isSmall ? 1 + ALLOWED_MICROSECONDS / handMs : ALLOWED_TIMES
      const target = Number(times.toFixed(1))
      rows.push({ ...row, ms: await microseconds(apl), target })
    } catch (error) {
      rows.push({
        ...row,
        name: `${apl}: ${error.message}`,
        ms: 1e9,
        target: 0,
      })
    }
  }
  const worst = rows.toSorted((a, b) => b.ms / b.handMs / b.target - a.ms / a.handMs / a.target)
  for (const [i, row] of worst.entries()) {
    if (i < SHOWN || row.ms / row.handMs > row.target) report(row)
  }
}

/** The CPU time of a statement: the lower of two, because the threads of the engine do other work too. */
async function cpuMs(engine, statement) {
  const times = []
  for (let round = 0; round < 2; round++) {
    await engine.run({ kind: 'sql', text: 'SYSTEM DROP QUERY CONDITION CACHE' })
    const before = process.cpuUsage()
    await engine.read(statement, LIMITS)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1_000)
  }
  return Math.min(...times)
}

/** Every call over a data set, with the query that only reads the same values. */
function queries(dataset) {
  const computed = (call) => call.replace(FIELD, (word) => COMPUTED[word] ?? word)
  const both = (calls) => [...new Set(calls.flatMap((call) => [call, computed(call)]))]
  const values = (call) => (call.startsWith('* ') ? Object.keys(COMPUTED) : fieldsOf(call))
  const reading = (fields, isComputed) => {
    const lengths = fields.map(
      (field) => `strlen(tostring(${isComputed ? COMPUTED[field] : field}))`,
    )
    return `${dataset} | summarize max(${lengths.join(' + ') || '1'})`
  }
  const all = [
    ...CALLS.map((call) => ({
      call,
      apl: (made) => `extend v = ${made} | summarize max(strlen(tostring(v)))`,
    })),
    ...CONDITIONS.map((call) => ({ call, apl: (made) => `where ${made} | count` })),
  ].flatMap(({ call, apl }) =>
    both([call]).map((made) => ({
      apl: apl(made),
      reading: reading(values(call), made !== call),
    })),
  )
  const grouped = AGGREGATIONS.flatMap((call) =>
    ['', ' by s'].map((by) => ({
      apl: `summarize ${call}${by}`,
      reading: reading(values(call), false),
    })),
  )
  const piped = PIPELINES.map((apl) => ({ apl, reading: reading(Object.keys(COMPUTED), false) }))
  return [...all, ...grouped, ...piped]
    .filter(({ apl }) => apl.includes(ONLY))
    .map(({ apl, reading }) => ({
      apl: `${dataset} | ${apl.replaceAll('DATA', dataset)}`,
      reading,
    }))
}

function fieldsOf(call) {
  return [...new Set(call.match(FIELD))].filter((word) => Object.hasOwn(COMPUTED, word))
}
