import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/apl/analyze.js'
import { sourcesOf } from '../../src/apl/language.js'
import { formatQuery } from '../../src/apl/syntax/format.js'
import { parse, wholeQuery } from '../../src/apl/syntax/parser.js'

const known = { now: 0n }

describe('a query that starts with an operator', () => {
  it.each([
    ['where a>1|count', 'where a > 1\n| count'],
    ['let n = 2; take n', 'let n = 2;\nlimit n'],
    ['project-away a', 'project-away a'],
    ['count', 'count'],
    ["['count'] | take 1", "['count']\n| limit 1"],
    ["file('a*.log') | count", "file('a*.log')\n| count"],
    ['search "x"', 'search * has "x"'],
  ])('%s', (text, formatted) => {
    const tree = wholeQuery(parse(text, { hasInput: true }))
    if (tree === undefined) throw new Error('it has problems')
    const again = formatQuery(tree)
    expect(wholeQuery(parse(again, { hasInput: true }))).toMatchObject({
      source: { kind: tree.source.kind },
    })
    expect(again.replaceAll('"', "'")).toBe(formatted.replaceAll('"', "'"))
  })

  it('has the problem of its first step at its place', () => {
    const { problems } = parse('where a > | count', { hasInput: true })
    expect(problems.map(({ code, span }) => [code, span.start])).toEqual([['syntax', 10]])
  })

  it('has no `|` in front of its first step', () => {
    const { problems } = parse('| where a > 1', { hasInput: true })
    expect(problems.map(({ message, span }) => [message, span.start])).toEqual([
      ['A query of files starts with an operator, without `|` in front of it.', 0],
    ])
    expect(parse('| where a > 1').problems.map(({ code }) => code)).toEqual(['missing-dataset'])
  })

  it.each([
    ['* | json | count', 'The query does not start with an operator.'],
    ['{app="cart"} |= "error"', '`{` is not APL syntax here.'],
    ['SELECT * FROM logs', 'This looks like SQL; queries are written in APL.'],
  ])('has no dataset in the help on %s', (text, message) => {
    const [found] = parse(text, { hasInput: true }).problems
    expect(found).toMatchObject({ message, help: expect.stringMatching(/^for example `where /) })
  })

  it('does not list the datasets of its inputs, whose names the program chose', () => {
    const schema = { datasets: ['input_2'], fields: () => undefined }
    const environment = { ...known, schema, inputs: { file: () => undefined } }
    const found = analyze("['logs'] | where id in (input | project id)", environment)
    const { help } = ('problems' in found && found.problems[0]) || {}
    expect(help).toMatch(/^to read events of a file, name it: `join \(file\(/)
  })

  it('names the flag that adds the place of an event', () => {
    const schema = { datasets: ['input'], fields: () => [{ name: '_time', type: 'datetime' }] }
    const environment = { ...known, schema, inputs: { main: 'input', file: () => undefined } }
    const found = analyze('summarize count() by _file', environment as never)
    expect(found).toMatchObject({
      problems: [
        { code: 'unknown-field', label: 'added to the events of files by --source-fields' },
      ],
    })
  })

  it('has `where` in front of a condition', () => {
    const { problems } = parse('status >= 500', { hasInput: true })
    const help =
      'conditions follow `where`: `where status == 404 and level == "error"`; words, `search "timeout"`'
    expect(problems).toMatchObject([{ code: 'syntax', span: { start: 7 }, help }])
  })

  it('may begin with a misspelled operator', () => {
    expect(parse('wher level == "x"', { hasInput: true }).problems).toMatchObject([
      { code: 'unknown-operator', span: { start: 0 }, label: 'close to `where`' },
    ])
    expect(parse('level x', { hasInput: true }).problems).toMatchObject([{ code: 'syntax' }])
  })

  it('puts a name with a hyphen in brackets', () => {
    const schema = { datasets: ['input'], fields: () => [{ name: 'x-id', type: 'int' }] }
    const environment = { ...known, schema, inputs: { main: 'input', file: () => undefined } }
    expect(analyze('where x - 1 == 3', environment as never)).toMatchObject({
      problems: [{ code: 'unknown-field', label: "write `['x-id']`" }],
    })
  })

  it('is a dataset without an input', () => {
    expect(parse('count').source).toMatchObject({ kind: 'dataset', name: 'count' })
    expect(parse('where a > 1').problems.map(({ code }) => code)).toEqual(['missing-dataset'])
  })
})

describe('the sources of a query', () => {
  it.each([
    [
      'where a > 1',
      { readsInput: true, firstWord: 'where', files: [], datasets: [], isStream: true },
    ],
    ['take 5 | project a', { isStream: true, limit: 5 }],
    ['take 5 | where a > 1', { isStream: false }],
    ['reduce by a', { firstWord: 'reduce', isStream: false }],
    ['reduce kind=source by a', { isStream: true }],
    ['take 5 | reduce kind=source by a', { isStream: true, limit: 5 }],
    ['let n = 5; take n', { isStream: false }],
    ['summarize count() by a', { readsInput: true, isStream: false }],
    ["where a in ((file('x') | project b))", { files: ['x'], isStream: false }],
    [
      "['users'] | join (file('a.log')) on id",
      { readsInput: false, files: ['a.log'], datasets: ['users'] },
    ],
    ["let a = file('x'); union a, file('y'), logs", { files: ['x', 'y'], datasets: ['logs'] }],
    [
      'summarize list = make_list(a) | mv-expand with_itemindex=n list | where n > 1',
      { readsInput: true, problems: [] },
    ],
    ['summarize count() by geo.city | where geo.city == "x"', { problems: [] }],
    ['project geo.city | where [\'geo.city\'] == "x" and geo.city.name == "y"', { problems: [] }],
    ['summarize arg_max(_time, *) by host | where level == "error"', { problems: [] }],
    ['summarize spotlight(status > 499, *)', { problems: [] }],
    ["lookup (['users']) on id", { readsInput: true, datasets: ['users'], isStream: false }],
    ['table("t") | count', { readsInput: false, datasets: ['t'] }],
  ])('%s', (text, sources) => {
    expect(sourcesOf(text, known)).toMatchObject(sources)
  })

  it('are the datasets that match a pattern', () => {
    const { datasets } = sourcesOf('union a*', known, { datasets: ['a1', 'b', 'a2'] })
    expect(datasets).toEqual(['a1', 'a2'])
  })
})
