import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from '../../src/apl/syntax/parser.js'
import { complaints, problems } from './support.js'

/** Queries, with each problem as its code and the text under the carets. */
const EXAMPLES: readonly (readonly [string, ...string[]])[] = [
  // Characters and literals
  ['logs | where status ? 5', 'stray-character: ?'],
  ['logs | where `user agent` == "x"', 'stray-character: `'],
  ['logs | where service == “api”', 'stray-character: “'],
  ['logs | where service == "api', 'unclosed-string: "api'],
  ["logs | where service == 'a\n| count", "unclosed-string: 'a"],
  [String.raw`logs | where uri matches regex "\d+"`, String.raw`bad-escape: \d`],
  ['logs | limit 10x', 'bad-number: 10x'],
  ['logs | where _time > ago(1h30m)', 'bad-number: 1h30m'],
  ['logs | where status == 9223372036854775808', 'number-too-large: 9223372036854775808'],
  ['logs | where duration > 1e999', 'number-too-large: 1e999'],
  ['logs | where _time > ago(99999999d)', 'timespan-too-long: 99999999d'],
  ['logs | where _time > datetime(1812-01-01)', 'datetime-out-of-range: 1812-01-01'],
  ['logs | where _time > "2300-01-01"', 'datetime-out-of-range: "2300-01-01"'],
  ['logs | where _time > datetime(yesterday)', 'bad-literal: yesterday'],
  ['logs | where _time > datetime(2026-02-30)', 'bad-literal: 2026-02-30'],
  ['logs | where status > int(duration)', 'bad-literal: duration'],
  ['logs | where tags == dynamic([1, )', 'bad-literal: [1, '],
  ['logs | where tags == dynamic([1e999])', 'bad-literal: [1e999]'],
  ['logs | where ok == bool()', 'bad-literal: bool()'],
  ['logs | where duration > real(x)', 'bad-literal: x'],
  ['logs | where service == string(x)', 'bad-literal: x'],
  ['logs | where 1s > timespan(soon)', 'bad-literal: soon'],

  // Structure
  ['', 'empty-query: '],
  ['  // nothing\n', 'empty-query: '],
  ['where status == 200', 'missing-dataset: where'],
  ['| where status == 200', 'missing-dataset: |'],
  ['http-logs | count', 'unquoted-dataset: http-logs'],
  ['k8s.pods | count', 'unquoted-dataset: k8s.pods'],
  ['"logs" | count', 'unquoted-dataset: "logs"'],
  ['[logs] | count', 'unquoted-name: logs'],
  ['SELECT * FROM logs', 'sql: SELECT'],
  ['logs |', 'missing-operator: |'],
  ['logs | | count', 'missing-operator: |'],
  ['logs where ok', 'missing-pipe: where'],
  ['logs | where ok summarize count()', 'missing-pipe: summarize'],
  ['logs | where ok LIMIT 5', 'missing-pipe: LIMIT'],
  ['logs | summarize count() BY status', 'wrong-case: BY'],
  ['logs | where constructor 5', 'syntax: 5'],
  ['logs | where service has_any ["a"]', 'missing-parentheses: ['],
  ['logs | summarize percentile(duration, "95")', 'wrong-argument: "95"'],
  ['logs | project service as s', 'other-language: as'],
  ['logs | summarize n = count() group by service', 'other-language: group'],
  ['logs | summarize n = count() by service having n > 3', 'other-language: having'],
  ['logs | sort by status descending', 'other-language: descending'],
  ['logs | sort by status ascending', 'other-language: ascending'],
  ['logs | extend x = case when ok then 1 else 2 end', 'other-language: when'],
  ['logs | where uri regex "x"', 'other-language: regex'],
  ['logs | where service has_all ("a", "b")', 'other-language: has_all'],
  ['logs | where service containss "a"', 'syntax: containss'],
  ['logs | where ok == TRUE', 'wrong-case: TRUE'],
  ['logs | summarize count by service', 'unknown-field: count'],
  ['logs | summarize max by service', 'unknown-field: max'],
  ['logs | where timestamp > ago(1h)', 'unknown-field: timestamp'],
  ['logs | sort status', 'missing-by: status'],
  ['logs | top 5 status', 'missing-by: status'],
  ['logs | where', 'syntax: '],
  ['logs | where status ==', 'syntax: '],
  ['logs | extend a = , b = 1', 'syntax: ,'],
  ['logs | where status matches "x"', 'syntax: "x"'],
  ['logs | where status in 200', 'missing-parentheses: 200'],
  ['logs | where status between 1 and 5', 'missing-parentheses: 1'],
  ['logs | count()', 'syntax: ('],
  ['logs | top by status', 'syntax: by'],
  ['logs | where (ok', 'unclosed-bracket: ('],
  ['logs | where tags[0 > 5 | count', 'unclosed-bracket: ['],
  ['logs | where _time > datetime(2026-01-01', 'unclosed-bracket: ('],
  ['logs | where ok)', 'unopened-bracket: )'],
  ['logs | where tags]', 'unopened-bracket: ]'],
  [`logs | where ${'('.repeat(600)}`, 'too-deep: ('],
  ['logs | where 1 < status < 5', 'chained-comparison: <'],
  ['logs | where status in (1) in (2)', 'chained-comparison: in'],
  ['logs | extend a = [1, 2]', 'bare-dynamic: ['],
  ['logs | extend a = {"b": 1}', 'bare-dynamic: {'],

  // Other languages, unsupported parts of APL
  ['logs | where status = 200', 'other-language: ='],
  ['logs | where status === 200', 'other-language: ==='],
  ['logs | where ok && status == 200', 'other-language: &&'],
  ['logs | where ok || status == 200', 'other-language: ||'],
  ['logs | where !ok', 'other-language: !'],
  ['logs | where message is null', 'other-language: is'],
  ['logs | where message like "%x%"', 'other-language: like'],
  ['logs | where status not in (200)', 'other-language: not'],
  ['logs | where ok AND ok', 'wrong-case: AND'],
  ['logs |= "error"', 'other-language: |='],
  ['logs | stats count by status', 'other-language: stats'],
  ['logs | group by status', 'other-language: group'],
  ['logs | order by status | head 5', 'other-language: head'],
  ['logs | extend a = concat(method, uri)', 'other-language: concat'],
  ['logs | summarize dc(uri)', 'other-language: dc'],
  ['logs | extend a = prev(status)', 'other-language: prev'],
  ['logs | top-nested 3 of uri by count()', 'other-language: top-nested'],
  ['logs | Where ok', 'wrong-case: Where'],
  ['logs | sort by status DESC', 'wrong-case: DESC'],
  ['logs | extend a = toLower(method)', 'wrong-case: toLower'],
  ['logs | where NOT ok', 'wrong-case: NOT'],
  ["file('access*.log') | count", "file-here: file('access*.log')"],
  ['externaldata (a:int) ["x.csv"]', 'not-supported: externaldata'],
  ['logs | extend a = genai_cost("gpt-4", 1, 2)', 'not-supported: genai_cost'],
  ['logs | extend a = parse_sql(uri)', 'not-supported: parse_sql'],

  // Settings
  ["logs | redact replaceToken=string(null) 'a'", 'syntax: string(null)'],
  ['logs | redact string(null)', 'syntax: string(null)'],
  ['logs | redact dynamic(null)', 'syntax: dynamic(null)'],
  ['logs | parse message with string(null) status', 'syntax: string(null)'],

  // Statements
  ['let a = 5 logs | where status == a', 'missing-semicolon: '],
  ['logs | count; | limit 5', 'text-after-the-end: ;'],
  ['let a = 5 +; let b = a + 1; logs | where status == b', 'syntax: ;'],
  ['let a = nothing; let b = a; logs | where status == b', 'unknown-name: nothing'],
  ['let a = 5; let a = 6; print a', 'duplicate-name: a'],
  ['let unused = logs | where statsu == 5; logs | count', 'unknown-field: statsu'],
  ['let slow = logs | where ok; logs | where status > slow', 'rows-as-value: slow'],
  ['let five = 5; five | count', 'value-as-rows: five'],
  ['let n = 1 + 1; logs | limit n', 'bad-count: n'],
  ['declare query_parameters (p:string); print p', 'missing-parameter: p'],
  ['declare query_parameters (p:int = "five"); print p', 'wrong-parameter: "five"'],
  ['declare query_parameters (p:number = 5); print p', 'not-a-type: number'],
  [
    `let a = union logs, logs; let b = union a, a, a, a, a; let c = union b, b, b, b, b; let d = union c, c, c, c, c; union d, d, d, d`,
    'too-many-sources: logs',
  ],
  [`logs${' | join logs on ok'.repeat(21)}`, 'too-many-joins: join logs on ok'],
  [`logs${' | where ok'.repeat(1200)}`, 'query-too-long: where'],

  // Sources and sides
  ['union', 'unknown-dataset: union'],
  ['logs | union', 'missing-operand: '],
  ['logs | union nope*', 'unknown-dataset: nope*'],
  ['union withsource=status logs, logs', 'duplicate-name: status'],
  ['table(5)', 'not-a-constant: 5'],
  ['table("lgos") | count', 'unknown-dataset: "lgos"'],
  ['datatable(a:int, b:string)[1, "x", 2]', 'datatable-rows: 2'],
  ['datatable(a:int)["x"]', 'wrong-cell: "x"'],
  ['datatable(a:int)[1 + 1]', 'not-a-constant: 1 + 1'],
  ["logs | join (['http-logs'])", 'missing-on: '],
  ["logs | join kind=left (['http-logs']) on status", 'unknown-join-kind: left'],
  ["logs | join (['http-logs'] | count) on status | count", 'unknown-field: status'],
  ["logs | join (['http-logs']) on status > 5", 'join-condition: status > 5'],
  ["logs | join (['http-logs']) on status == 5", 'join-condition: status == 5'],
  ["logs | join (['http-logs']) on $left.status == $right.method", 'cannot-compare: =='],
  ["logs | join (['http-logs']) on $left.status == $right.stats", 'unknown-field: stats'],
  ['logs | where $left.status == 5', 'side-here: $left'],
  [
    "logs | where uri has_any (['http-logs'] | project uri)",
    "subquery-here: ['http-logs'] | project uri",
  ],
  ["logs | where status in (['http-logs'] | project method)", 'cannot-compare: in'],
  [
    "logs | where status in (['http-logs'] | where stauts > 5 | project status)",
    'unknown-field: stauts',
  ],

  // Names
  ['logs | fitler ok', 'unknown-operator: fitler'],
  ['logs | sumarize count()', 'unknown-operator: sumarize'],
  ['logs | frobnicate', 'unknown-operator: frobnicate'],
  ["['log'] | count", "unknown-dataset: ['log']"],
  ["['zzz'] | where anything > 5", "unknown-dataset: ['zzz']"],
  ['logs | where statsu >= 500', 'unknown-field: statsu'],
  ['logs | project-away statsu', 'unknown-field: statsu'],
  ['logs | where geo == "x"', 'unknown-field: geo'],
  ['logs | where geo.cty == "x"', 'unknown-field: geo.cty'],
  ['logs | extend a = 1, b = a + 1', 'unknown-field: a'],
  ['logs | summarize n = count(), m = n * 2', 'unknown-field: n'],
  ['logs | extend a = substr(uri, 1)', 'unknown-function: substr'],
  ['logs | summarize conut()', 'unknown-aggregate: conut'],
  ['logs | summarize zzzzzz(status)', 'unknown-aggregate: zzzzzz'],
  ['logs | extend a = 1, a = 2', 'duplicate-name: a'],
  ['logs | project-rename dynamic("a") = status', 'syntax: dynamic("a")'],
  ['logs | summarize n = count() by n = status', 'duplicate-name: n'],

  // Types and arguments
  ['logs | where status', 'not-a-condition: status'],
  ['logs | where service', 'not-a-condition: service'],
  ['logs | where status + 1', 'not-a-condition: status + 1'],
  ['logs | extend a = case(status, 1, 2)', 'not-a-condition: status'],
  ['logs | where status == "abc"', 'cannot-compare: =='],
  ['logs | where service == status', 'cannot-compare: =='],
  ['logs | where _time > 5', 'cannot-compare: >'],
  ['logs | where _time > service', 'cannot-compare: >'],
  ['logs | where duration > 5s', 'cannot-compare: >'],
  ['logs | where ok == "true"', 'cannot-compare: =='],
  ['logs | where status in (200, 1h)', 'cannot-compare: in'],
  ['logs | where status between (1 .. "x")', 'cannot-compare: between'],
  ['logs | where _time == "yesterday"', 'not-a-time: "yesterday"'],
  ['logs | extend a = method + uri', 'cannot-combine: +'],
  ['logs | extend a = _time + 5', 'cannot-combine: +'],
  ['logs | extend a = _time - attributes', 'cannot-combine: -'],
  ['logs | extend a = ok * 2', 'cannot-combine: *'],
  ['logs | where status contains "5"', 'wrong-operand: status'],
  ['logs | where message has 5', 'wrong-operand: 5'],
  ['logs | where message has_any ("a", 5)', 'wrong-operand: 5'],
  ['logs | extend a = -method', 'wrong-operand: method'],
  ['logs | where status and ok', 'wrong-operand: status'],
  ['logs | where not status == 200', 'wrong-operand: status'],
  ['logs | extend a = strlen()', 'wrong-argument-count: strlen'],
  ['logs | extend a = substring(uri, 1, 2, 3)', 'wrong-argument-count: substring'],
  ['logs | summarize count(*)', 'wrong-argument-count: count'],
  ['logs | summarize count(status)', 'wrong-argument-count: count'],
  ['logs | extend a = case(ok, 1, ok, 2)', 'wrong-argument-count: case(ok, 1, ok, 2)'],
  ['logs | extend a = strlen(status)', 'wrong-argument: status'],
  ['logs | summarize sum(method)', 'wrong-argument: method'],
  ['logs | extend a = startofday("2026-01-01")', 'wrong-argument: "2026-01-01"'],
  ['logs | extend a = sqrt(1h)', 'wrong-argument: 1h'],
  ['logs | extend a = ago(5)', 'wrong-argument: 5'],
  ['logs | extend a = iff(status, 1, 2)', 'wrong-argument: status'],
  ['logs | extend a = ago("1h")', 'wrong-argument: "1h"'],
  ['logs | extend a = array_length(uri)', 'wrong-argument: uri'],
  ['logs | summarize percentile(duration, status)', 'not-a-constant: status'],
  ['logs | extend a = ensure_field("status", int)', 'not-a-type: int'],
  ['logs | extend a = datetime_part("minutes", _time)', 'unknown-time-part: "minutes"'],
  ['logs | extend a = array_extract(tags, "name")', 'bad-json-path: "name"'],
  ['logs | extend a = range(1, 1h)', 'wrong-range: range(1, 1h)'],
  ['logs | summarize percentile(duration, 101)', 'percentile-out-of-range: 101'],
  ['logs | summarize topk(uri, 0)', 'count-out-of-range: 0'],
  ['logs | summarize strcat(arg_max(duration, uri))', 'several-columns: arg_max'],
  ['logs | summarize count() by statsu', 'unknown-field: statsu'],
  ['logs | summarize count() by bin(_time, 60)', 'wrong-bin: 60'],
  ['logs | summarize count() by bin(status, 0)', 'wrong-bin: 0'],
  ['logs | where uri matches regex "(?=a)"', 'bad-regex: "(?=a)"'],
  [String.raw`logs | where uri matches regex @"(a)\1"`, String.raw`bad-regex: @"(a)\1"`],
  ['logs | extend a = extract("(", 1, uri)', 'bad-regex: "("'],
  ['logs | where uri matches regex "*.js"', 'bad-regex: "*.js"'],
  ['logs | extend a = extract_all("(a)", dynamic([2]), uri)', 'no-such-group: dynamic([2])'],
  ['logs | extend a = extract_all("(a)", dynamic("x"), uri)', 'no-such-group: dynamic("x")'],
  ['logs | extend a = replace_regex("(a)", "$2", uri)', 'no-such-group: "$2"'],
  ['logs | limit 0', 'bad-count: 0'],
  ['logs | take 1.5', 'bad-count: 1.5'],
  ['logs | top -1 by status', 'bad-count: -1'],
  ['logs | sort by 1', 'constant-sort-key: 1'],
  ['logs | where message.part == 1', 'no-parts: message'],
  ['logs | where tags[1.5] == 1', 'bad-index: 1.5'],
  ['logs | where * == 1', 'star: *'],

  // Groups
  ['logs | where count() > 5', 'aggregate-outside-summarize: count'],
  ['logs | sort by count()', 'aggregate-outside-summarize: count'],
  ['logs | summarize count() by max(status)', 'aggregate-outside-summarize: max'],
  ['logs | summarize max(count())', 'nested-aggregate: count'],
  ['logs | summarize status', 'not-aggregated: status'],
  ['logs | summarize count() + status', 'not-aggregated: status'],
  ['logs | summarize a = 5', 'not-aggregated: 5'],
  ['logs | project-away *', 'no-columns: project-away *'],

  // Operators that rename, parse or expand columns
  ['logs | project-keep zz*', 'no-columns: project-keep zz*'],
  ['logs | project-rename a = m*', 'star: m*'],
  ['logs | project-rename status = method', 'duplicate-name: status'],
  ['logs | project-rename a = status, a = method', 'duplicate-name: a'],
  ['logs | project-reorder status sideways', 'syntax: sideways'],
  ['logs | sample 10', 'bad-share: 10'],
  ['logs | sample status', 'bad-share: status'],
  ['logs | parse message with a b', 'capture-without-end: a'],
  ['logs | parse message with a:datetime *', 'capture-without-end: a'],
  ['logs | parse message with a:strin', 'not-a-type: strin'],
  ['logs | parse message with a "," a', 'duplicate-name: a'],
  ['logs | parse message with a:', 'not-a-type: '],
  ['logs | parse status with a', 'wrong-operand: status'],
  ['logs | parse kind=loose message with a', 'syntax: loose'],
  ['logs | parse kind=regex message with @"(" a', 'bad-regex: @"("'],
  ['logs | parse kind=regex flags=x message with a', 'syntax: x'],
  ['logs | parse-kv message as (a) with (pair_delimiter=",")', 'syntax: parse-kv'],
  ['logs | parse-kv message as (a) with (pair_delimiter="", kv_delimiter="=")', 'syntax: ""'],
  ['logs | parse-kv message with (pair_delimiter=",")', 'syntax: with'],
  ['logs | redact redactGroups=true "a"', 'redact-groups: "a"'],
  ['logs | redact redactGroups=true "(?:(a)b)"', 'redact-groups: "(?:(a)b)"'],
  [`logs | redact redactGroups=true "${'(a)b'.repeat(6)}"`, `redact-groups: "${'(a)b'.repeat(6)}"`],
  ['logs | redact replaceToken="a" replaceHash=true "a"', 'syntax: replaceHash'],
  ['logs | redact "a" on status', 'wrong-operand: status'],
  ['logs | redact "a" on mesage', 'unknown-field: mesage'],
  ['logs | search method:status', 'syntax: status'],
  ['logs | search kind=loud "a"', 'syntax: loud'],
  ['logs | where * has 5', 'wrong-operand: 5'],
  ['logs | where * == 5', 'star: *'],
  ['logs | mv-expand split(uri, "/")', 'unnamed-column: split(uri, "/")'],
  ['logs | mv-expand tags to typeof(strin)', 'not-a-type: strin'],
  ['logs | mv-expand tags to string', 'syntax: string'],
  ['logs | mv-expand tags limit 0', 'bad-count: 0'],
  ['logs | reduce message', 'missing-by: message'],
  ['logs | reduce kind=sauce by message', 'syntax: sauce'],
  ['logs | reduce by message with threshold=-0.1', 'bad-threshold: -0.1'],
  ['logs | reduce by message with threshold=status', 'bad-threshold: status'],
  ['logs | reduce by message with treshold=1', 'syntax: treshold'],
  ['logs | reduce by message with threshold=0.1, 5', 'syntax: ,'],
  ['logs | reduce by count()', 'aggregate-outside-summarize: count'],
  ['logs | make-series count() on _time step 1m', 'no-range: _time'],
  ['logs | make-series count() on _time from ago(1h) to ago(2h) step 1m', 'empty-range: ago(2h)'],
  ['logs | make-series count() on _time from _time to now() step 1m', 'not-a-constant: _time'],
  ['logs | make-series count() on _time from ago(1h) step status', 'bad-step: status'],
  ['logs | make-series count() on _time from ago(1d) step 1ns', 'too-many-steps: 1ns'],
  [
    'logs | make-series count() default=status on _time from ago(1d) step 1h',
    'not-a-constant: status',
  ],
  ['logs | make-series count() on status from ago(1d) step 1h', 'not-a-time: status'],
  ['logs | extend a = bin_auto(_time)', 'bin-auto-outside-by: bin_auto'],
  ['logs | summarize count() by bin_auto(status)', 'wrong-argument: status'],
  ['wide | take 5', 'too-many-fields: wide'],
  ['logs | union wide | where * has "x" | count', 'too-many-fields: wide'],
]

describe('problems', () => {
  it.each(EXAMPLES)('are reported in %s', (text, ...expected) => {
    expect(complaints(text)).toEqual(expected)
  })

  it('have an example for each code', () => {
    const folder = join(import.meta.dirname, '../../src/apl/problem')
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    const source = files.join('\n')
    const codes = new Set([...source.matchAll(/code: '([a-z-]+)'/g)].map((match) => match[1]))
    const shown = new Set(EXAMPLES.flatMap(([, ...all]) => all.map((one) => one.split(':')[0])))
    expect(codes.size).toBeGreaterThan(40)
    expect([...codes].sort()).toEqual([...shown].sort())
  })

  it.each([
    'project servce',
    'project servce = servce',
    'extend servce',
    'extend-valid servce',
    'project-rename s = servce',
    'project-rename s = method | take 1 | project servce',
    'summarize count() by servce',
    'summarize arg_max(status, servce)',
    'make-series count() on _time from ago(1h) to now() step 1m by servce',
    'summarize make_list(service, 3) | project make_list_servce',
  ])('suggest the most similar field in %s', (step) => {
    const [problem] = problems(`logs | ${step}`)
    expect(problem?.label).toMatch(/^close to `(make_list_)?service`$/)
  })

  it('explain that a name is defined by the same operator', () => {
    const [problem] = problems('logs | extend slow = duration > 1, n = slow')
    expect(problem?.label).toBe('defined by this same `extend`')
  })

  it('follow the style of messages', () => {
    for (const { message, label, help } of EXAMPLES.flatMap(([text]) => problems(text))) {
      const prose = [message, label, help].join(' ').replace(/`[^`]*`/g, '')
      expect(prose).not.toMatch(
        /\b(?:you|your|I|please|sorry|invalid|error|column id|sql server)\b/i,
      )
      expect(message).toMatch(/^[A-Z`].*[.]$/)
      expect(label ?? '').not.toMatch(/[.]$/)
      expect((label ?? '').length).toBeLessThanOrEqual(60)
    }
  })

  it('contain only valid APL in their help', () => {
    const pieces = EXAMPLES.flatMap(([text]) => problems(text)).flatMap(({ help }) =>
      [...(help ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]!),
    )
    expect(pieces.length).toBeGreaterThan(100)
    expect(pieces.filter((piece) => !isApl(piece))).toEqual([])
  })
})

/** Returns true for a query, a step, an expression, or the word of an operator. */
function isApl(text: string): boolean {
  const steps = [
    text,
    `logs ${text}`,
    `logs | ${text}`,
    `logs | where ${text}`,
    `logs | where a ${text} b`,
  ]
  const ranges = [`logs | where a ${text}`, `logs | where a ${text} (1)`]
  const words = [`logs | ${text} a`, `logs | extend a ${text} 1`, `logs | project-away ${text}`]
  return [...steps, ...ranges, ...words].some((query) => parse(query).problems.length === 0)
}
