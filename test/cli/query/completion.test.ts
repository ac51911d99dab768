import { expect, it } from 'vitest'
import { APL_WORDS } from '../../../src/apl/language.js'
import { cachedNames, completionsOf } from '../../../src/cli/query/completion.js'
import { ChunkedBuffer } from '../../../src/wire/bytes/chunked-buffer.js'

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  logs: ['_time', 'status', 'stage', 'http.route', 'user name'],
  'logs-old': ['_time', 'old'],
  users: ['_time', 'id', 'plan'],
}

const NAMES = {
  datasets: async () => Object.keys(FIELDS),
  fields: async (dataset: string) => FIELDS[dataset] ?? [],
}

const WORDS = { ...APL_WORDS, commands: ['\\since ', '\\q'] }

async function complete(text: string, names = NAMES): Promise<readonly string[]> {
  return (await completionsOf(text, WORDS, names)).candidates
}

it.each([
  ["['lo", ["['logs']", "['logs-old']"]],
  ['["us', ['["users"]']],
  ['us', ["['users']"]],
  ["union ['logs'], us", ["['users']"]],
  ["let a = 1; ['us", ["['users']"]],
  ["['logs'] | join (us", ["['users']"]],
  ["['logs'] | where id in (['us", ["['users']"]],
])('completes %s to a dataset', async (text, expected) => {
  expect(await complete(text)).toEqual(expected)
})

it.each([
  ["['odd'] | where ", [String.raw`['a\\b']`, String.raw`['it\'s']`, `['say "x"']`]],
  ["['odd'] | where ['it", [String.raw`['it\'s']`]],
  [`['odd'] | where ["it`, [`["it's"]`]],
])('completes %s to a name as it has to be quoted', async (text, expected) => {
  const fields = async () => ["it's", 'a\\b', 'say "x"']
  expect(await complete(text, { datasets: async () => ['odd'], fields })).toEqual(expected)
})

it.each([
  ["['maße'] | where gr", ['größe', 'größe.in.mm']],
  ["['maße'] | where größe.", ['größe.in.mm']],
  ["['maße'] | where 大", ['大小']],
  ["['maße'] | where b", ["['by']"]],
  ["['maße'] | extend länge = 1 | where län", ['länge']],
])('completes %s to a name in any alphabet', async (text, expected) => {
  const fields = async () => ['größe', 'größe.in.mm', '大小', 'by']
  const words = { ...WORDS, calls: [], between: [] }
  const names = { datasets: async () => ['maße'], fields }
  expect((await completionsOf(text, words, names)).candidates).toEqual(expected)
})

it.each([
  ["['logs'] | whe", ['where ']],
  ["['logs']\n| project-k", ['project-keep ']],
  ["['logs'] | where status > 1 | summ", ['summarize ']],
])('completes %j to an operator', async (text, expected) => {
  expect(await complete(text)).toEqual(expected)
})

it.each([
  [
    "['logs'] | where sta",
    [
      'stage',
      'startofday(',
      'startofmonth(',
      'startofweek(',
      'startofyear(',
      'startswith ',
      'startswith_cs ',
      'status',
    ],
  ],
  ["['logs'] | where ['sta", ["['stage']", "['status']"]],
  ["['logs'] | where http.", ['http.route']],
  ["['logs'] | summarize percentile(stat", ['status']],
  ["['logs'] | extend slow = status > 1 | project slo", ['slow']],
  ['logs | where stat', ['status']],
  ["['logs'] | where status > 1 | join (['users'] | where pl", ['plan']],
  ["['logs'] | project ", ['_time', 'http.route', 'stage', 'status', "['user name']"].sort()],
  ["['logs'] | summarize dcou", ['dcount(', 'dcountif(']],
])('completes %s to what may stand there', async (text, expected) => {
  expect(await complete(text)).toEqual(expected)
})

it.each([
  ["['logs'] | sort by status ", ['asc', 'desc', 'nulls first', 'nulls last']],
  ["['logs'] | order by stage desc, ['user name'] d", ['desc']],
  ["['logs'] | top 5 by strlen(stage) a", ['asc']],
  ["['logs'] | sort by stat", ['status']],
  ["['logs'] | sort by status, stag", ['stage']],
])('completes %s to what follows a key', async (text, expected) => {
  expect(await complete(text)).toEqual(expected)
})

it.each([
  ["// Orders, 'slow' ones\n['logs'] | where stat", ['status']],
  ["['logs'] | where http.route == 'https://x' // 'note\n| project stat", ['status']],
  ["['logs'] | where http.route == @'c:\\' // note\n| project stat", ['status']],
  ["['logs'] // where sta", []],
])('completes %j as if it had no comments', async (text, expected) => {
  expect(await complete(text)).toEqual(expected)
})

it('requests the fields of datasets that a service does not list', async () => {
  const silent = { ...NAMES, datasets: async () => [] }
  expect(await complete("['users'] | where pl", silent)).toEqual(['plan'])
})

it('requests names again after a failure', async () => {
  let isDown = true
  const send = async () => {
    if (isDown) throw new Error('down')
    const body = ChunkedBuffer.of('[{"name":"logs"}]')
    return { status: 200, headers: {}, body, url: 'http://x' }
  }
  const names = cachedNames({ name: 'x', send, close: async () => {} })
  expect(await names.datasets()).toEqual([])
  isDown = false
  expect(await names.datasets()).toEqual(['logs'])
  isDown = true
  expect(await names.datasets()).toEqual(['logs'])
})

it('completes commands of the prompt', async () => {
  expect(await complete('\\s')).toEqual(['\\since '])
})

const VALUES: Readonly<Record<string, readonly string[]>> = {
  stage: ['prod', 'dev', 'it\'s "odd"', 'two\nlines'],
  'user name': ['Ann'],
}

const WITH_VALUES = {
  ...NAMES,
  values: async (_: string, field: string, prefix: string) =>
    (VALUES[field] ?? []).filter((value) => value.startsWith(prefix)),
}

it.each([
  ["['logs'] | where stage == \"", ['"prod"', '"dev"', String.raw`"it's \"odd\""`]],
  ["['logs'] | where stage != 'd", ["'dev'"]],
  ["['logs'] | where stage == 'it", [String.raw`'it\'s "odd"'`]],
  ["['logs'] | where status > 1 and stage has \"p", ['"prod"']],
  ["['logs'] | where stage !in (\"dev\", 'x', \"p", ['"prod"']],
  ["['logs']\n| where ['user name'] =~ \"", ['"Ann"']],
  ["['logs'] | where status == \"", []],
  ["['logs'] | where other == \"", []],
  ['[\'logs\'] | where stage == "prod" and sta', ['stage', 'status']],
])('completes %s to values in the order of their frequency', async (text, expected) => {
  const found = await complete(text, WITH_VALUES)
  expect(found.filter((one) => !/^start/.test(one))).toEqual(expected)
})

it.each([
  ['\\d lo', ['logs', 'logs-old']],
  ['\\h summ', ['summarize']],
  ['\\o c', ['csv']],
  ['\\since ', []],
])('completes the argument of %s', async (text, expected) => {
  const words = { ...WORDS, formats: ['csv', 'json'] }
  expect((await completionsOf(text, words, NAMES)).candidates).toEqual(expected)
})

it.each([
  ['whe', ['where ']],
  ['where http', ['http.route']],
  ['let limit = 1;\nwhere sta', ['stage', 'startofday(']],
  ['where status > 1 | project use', ["['user name']"]],
  ["['users'] | where pl", ['plan']],
])('completes %j on files', async (text, expected) => {
  const candidates = await complete(text, { ...NAMES, input: 'logs' } as typeof NAMES)
  expect(candidates.slice(0, expected.length)).toEqual(expected)
})
