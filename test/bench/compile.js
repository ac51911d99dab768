// Measures the compilation of a query of 20 operators to SQL, warm.
import { analyze } from '../../dist/apl/analyze.js'
import { compile } from '../../dist/sql/compile.js'

const STEPS = [
  "where _time > ago(1d) and level != 'debug'",
  'where status >= 200 and not(path startswith "/health")',
  'extend seconds = duration_ms / 1000, kind = iff(status >= 500, "bad", "good")',
  'extend slow = seconds > 1.5, host = tolower(service)',
  'where slow or kind == "bad"',
  'extend area = case(path has "items", "items", path has "users", "users", "other")',
  'project-away message, trace_id',
  'where method in ("GET", "POST", "PUT") and message_length between (1 .. 500)',
  'extend share = 100.0 * bytes / 1000000, minute = bin(_time, 1m)',
  'where isnotnull(user_id) and user_id != 0',
  'summarize n = count(), p95 = percentile(seconds, 95), bytes = sum(bytes) by minute, area, service',
  'extend rate = n / 60.0, label = strcat(service, ":", area)',
  'where n > 1',
  'extend heavy = bytes > 100000',
  'summarize n = sum(n), worst = max(p95), labels = dcount(label) by bin(minute, 1h), service',
  'extend score = n * worst + labels',
  'where score > 0',
  'sort by score desc, service asc',
  'project service, n, worst, score',
  'limit 50',
]
const APL = ['logs', ...STEPS].join('\n| ')

const FIELDS = [
  ...[
    ['_time', 'datetime'],
    ['_sysTime', 'datetime'],
    ['duration_ms', 'real'],
  ],
  ...['bytes', 'status', 'user_id', 'message_length'].map((name) => [name, 'int']),
  ...['level', 'message', 'method', 'path', 'service', 'trace_id'].map((name) => [name, 'string']),
  // An old dataset has many fields.
  ...Array.from({ length: 300 }, (_, i) => [`attribute.${i}`, i % 3 === 0 ? 'int' : 'string']),
].map(([name, type]) => ({ name, type }))

const layout = {
  table: 'logs',
  fields: FIELDS.map(({ name, type }) => ({
    name,
    type,
    wireType: type,
    column: name,
    paths: [name.split('.')],
  })),
}

function compiled() {
  const schema = { datasets: ['logs'], fields: () => FIELDS }
  const analyzed = analyze(APL, { schema, now: 1_767_225_600_000_000_000n })
  if ('problems' in analyzed) throw new Error(JSON.stringify(analyzed.problems))
  return compile(analyzed.query, { layout: () => layout, range: {}, limit: 1_001n })
}

export async function run(report) {
  for (let i = 0; i < 200; i++) compiled()
  const times = Array.from({ length: 200 }, () => {
    const start = performance.now()
    compiled()
    return performance.now() - start
  }).sort((a, b) => a - b)
  report({ name: 'a query of 20 operators', ms: times[100], target: 5 })
}
