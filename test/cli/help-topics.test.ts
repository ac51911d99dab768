import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AGGREGATES } from '../../src/apl/aggregate/aggregates.js'
import { FUNCTION_ALIASES, FUNCTIONS } from '../../src/apl/function/functions.js'
import { operatorReference } from '../../src/apl/language.js'
import { PROBLEM_CODES } from '../../src/apl/problem/codes.js'
import { JOIN_KINDS } from '../../src/apl/syntax/ast.js'
import { parse } from '../../src/apl/syntax/parser.js'
import { OPERATOR_WORDS } from '../../src/apl/syntax/words.js'
import { EXIT } from '../../src/cli/exit-code.js'
import { TOPICS } from '../../src/cli/help/topics.js'
import { COMMAND_NAMES, createProgram } from '../../src/cli/program.js'
import { main } from '../../src/main.js'
import { FOREIGN_APIS } from '../../src/service/ingest/foreign-apis.js'
import * as limits from '../../src/wire/limits.js'
import { SERVE_LIMITS } from '../../src/wire/serve-limits.js'
import { fakeIo, silentContext } from '../support/fake-io.js'

const TOPIC_FILES = join(import.meta.dirname, '../../src/cli/help/topic')
const BINARY = join(import.meta.dirname, '../../bin/evq.js')
const PROBLEMS = join(import.meta.dirname, '../../src/apl/problem')

async function help(columns: number, ...words: string[]): Promise<string> {
  const io = fakeIo({ isTerminal: true, columns })
  expect(await main(['help', ...words], io)).toBe(EXIT.done)
  return io.out()
}

/** The text of all topics, unwrapped. */
const topicText = (await Promise.all(TOPICS.map(({ load }) => load())))
  .flat()
  .map((block) =>
    block.kind === 'code'
      ? block.lines.join('\n')
      : block.kind === 'term'
        ? `${block.term} ${block.text}`
        : block.text,
  )
  .join('\n')

describe('the topics of evq help', () => {
  it.each(TOPICS.flatMap(({ name }) => [60, 80].map((columns) => [name, columns] as const)))(
    'fit in columns, except for addresses: %s, %i columns',
    async (name, columns) => {
      const wide = (await help(columns, name)).split('\n').filter((line) => line.length > columns)
      // A word of more than 40 characters can't be broken.
      expect(wide.filter((line) => !/\S{41}/.test(line))).toEqual([])
    },
  )

  it('name the page of an operator with its example', async () => {
    expect(await help(80, 'operators')).toContain('`evq help where` shows one with an')
    expect(await help(80, 'where')).toContain("['logs'] | where ")
  })

  it('have a service of launchd that needs no `PATH`, and whose first tokens are logged', () => {
    const [, plist = ''] = /<plist(.*?)<\/plist>/s.exec(topicText) ?? []
    expect(readFileSync(BINARY, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
    expect(plist).toMatch(/<array><string>\/\S+\/node<\/string>\s*<string>\/\S+\/evq<\/string>/)
    expect(plist).toMatch(/<key>StandardErrorPath<\/key>\s*<string>\/Users\/\S+<\/string>/)
  })

  it('have a service of systemd that outlives the login', () => {
    expect(topicText).toContain('loginctl enable-linger')
  })

  it('have services with a data directory of their own', () => {
    const [, unit = ''] = /(StateDirectory=evq.*?)WantedBy=multi-user/s.exec(topicText) ?? []
    expect(unit).toContain('Environment=EVQ_DATA_DIR=/var/lib/evq\n')
    const [, image = ''] = /(FROM node:22.*?)docker run/s.exec(topicText) ?? []
    expect(image).toContain('ENV EVQ_DATA_DIR=/data\n')
    expect(image).toContain('VOLUME /data\n')
  })

  it('name no flag that does not exist', async () => {
    const program = await createProgram(COMMAND_NAMES, silentContext())
    const commands = [program, ...program.commands, ...program.commands.flatMap((c) => c.commands)]
    const known = commands.flatMap(({ options }) => options.flatMap(({ long }) => long ?? []))
    // Other programs have flags of their own.
    const own = topicText
      .replaceAll(/^(?:sudo )?(?:systemctl|journalctl) .*$/gm, '')
      .replaceAll(/^docker run [^\n]*(?:\n +[^\n]*)*$/gm, '')
      .replaceAll(/^27 MB .*$/gm, '')
      .replaceAll(/\$\(format-json [^)]*\)/g, '')
    const named = [...own.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag)
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((flag) => !known.includes(flag))).toEqual([])
  })

  it('show queries that parse', async () => {
    const language = await TOPICS.find(({ name }) => name === 'language')!.load()
    const queries = language.flatMap((block) =>
      block.kind === 'code' ? [block.lines.join('\n')] : [],
    )
    expect(queries).toHaveLength(3)
    for (const query of queries) expect(parse(query).problems, query).toEqual([])
  })
})

describe('the reference', () => {
  const words = [
    ...OPERATOR_WORDS,
    ...Object.keys(AGGREGATES),
    ...Object.keys(FUNCTIONS),
    ...Object.keys(FUNCTION_ALIASES),
    ...Object.keys(PROBLEM_CODES),
  ]

  it('has an entry for every operator, aggregation, function and problem code', async () => {
    for (const word of words) expect(await help(80, word)).toMatch(new RegExp(`^${word}\n\n`))
  })

  it('lists every function once', async () => {
    const listed = [...(await help(80, 'functions')).matchAll(/^ {2}(\w+)\(/gm)].map(
      ([, name]) => name,
    )
    expect(listed.sort()).toEqual(Object.keys(FUNCTIONS).sort())
  })

  it.each(operatorReference())('shows an example of $name that parses', ({ name, example }) => {
    expect(parse(example!).problems).toEqual([])
    expect(example).toContain(name)
  })

  it('names the kinds of joins', async () => {
    const named = (await help(80, 'join')).match(/\b(?:full|inner|left|right)\w*\b/g)
    expect(named).toEqual(expect.arrayContaining([...JOIN_KINDS]))
  })

  it('leads from SQL to the language', async () => {
    expect(await help(80, 'sql')).toContain('`evq help language`')
  })

  it('explains every problem code that the compiler reports, and no other', () => {
    const files = readdirSync(PROBLEMS).filter((file) => file !== 'codes.ts')
    const text = files.map((file) => readFileSync(join(PROBLEMS, file), 'utf8')).join('\n')
    const reported = new Set([...text.matchAll(/\bcode: '([a-z-]+)'/g)].map(([, code]) => code))
    expect(Object.keys(PROBLEM_CODES).sort()).toEqual([...reported].sort())
  })

  it.each([
    ['sumarize', 'summarize'],
    ['prcentile', 'percentile'],
    ['tiem', 'time'],
    ['igest', 'ingest'],
  ])('suggests a near name for %s', async (word, near) => {
    const io = fakeIo()
    expect(await main(['help', word], io)).toBe(EXIT.usage)
    expect(io.err()).toContain(
      `There is no help on \`${word}\`. Did you mean \`evq help ${near}\`?`,
    )
  })

  it.each([
    ['file', 'files: '],
    ['shipper', 'shippers: '],
    ['exit codes', 'exit-codes: '],
    ['lim', 'limits: '],
    ['tokens', 'Usage: evq token '],
    ['comp', 'Usage: evq completion '],
    ['summar', 'summarize\n'],
    ['order by', 'order\n'],
  ])('is found by a part of a name: %s', async (words, beginning) => {
    expect((await help(80, ...words.split(' '))).startsWith(beginning)).toBe(true)
  })

  it.each([
    ['delete', 'Did you mean `dataset delete`?'],
    ['backup', '`evq help service` explains backups.'],
    [
      'dedup',
      'In APL, for the newest event of each value, use `summarize arg_max(_time, *) by status`; for the values alone, `distinct status`.',
    ],
    ['group by', 'In APL, to group rows, use `summarize count() by status`.'],
    ['kql', '`evq help language` explains APL in two minutes.'],
    ['otel', '`evq help shippers` has a configuration for its collector.'],
    ['context', '`evq query -C 3` shows the events around matches.'],
    ['purge', 'Did you mean `dataset trim`?'],
    ['privacy', '`evq help redact` explains how to mask texts.'],
    ['upper', 'In APL, use `toupper(method)`.'],
  ])('says what does the same as %s of other programs', async (word, advice) => {
    const io = fakeIo()
    expect(await main(['help', ...word.split(' ')], io)).toBe(EXIT.usage)
    expect(io.err()).toContain(`There is no help on \`${word}\`. ${advice}`)
  })

  it.each([
    ['systemd', 'The word is in `evq help service`.'],
    ['Grafana', 'The word is in `evq help '],
    ['rotation', 'The word is in `evq help input`.'],
    ['upgrade', 'The word is in `evq help '],
    ['duplicates', 'The word is in `evq help export`'],
  ])('names the topics that contain %s', async (word, topics) => {
    const io = fakeIo()
    expect(await main(['help', word], io)).toBe(EXIT.usage)
    expect(io.err()).toContain(`There is no help on \`${word}\`. ${topics}`)
  })

  it('is found by words in one argument', async () => {
    expect(await help(80, 'exit codes')).toBe(await help(80, 'exit-codes'))
  })

  it('names all words without help, of which the first may be a command', async () => {
    const io = fakeIo()
    expect(await main(['help', 'dataset', 'wibble'], io)).toBe(EXIT.usage)
    expect(io.err()).toContain('There is no help on `dataset wibble`. ')
  })

  it('lists the names that a word may stand for', async () => {
    const io = fakeIo()
    expect(await main(['help', 'se'], io)).toBe(EXIT.usage)
    expect(io.err()).toContain(
      'There is no help on `se`. Names that begin with it: settings, service.',
    )
  })

  it('shows the types of parameters and results, and an example', async () => {
    expect(await help(80, 'substring')).toBe(
      `substring

    substring(source: string, start: int, [length: int]): string

the characters from a position, from 0

    print substring("checkout", 5, 2) // "ou"
`,
    )
  })

  it('has a row for each limit that users meet', () => {
    const source = readFileSync(join(TOPIC_FILES, 'limits.ts'), 'utf8')
    const rows = source.slice(source.indexOf('blocksOf('))
    const missing = Object.keys(limits).filter((name) => !new RegExp(`\\b${name}\\b`).test(rows))
    expect(missing).toEqual([])
  })

  it('has a row for each limit that `evq serve` sets', async () => {
    const rows = await help(200, 'limits')
    for (const { flag } of Object.values(SERVE_LIMITS)) expect(rows).toContain(`\`serve ${flag}\``)
  })

  it('names the paths of the APIs of other vendors', async () => {
    const service = await help(200, 'service')
    for (const { name, routes } of FOREIGN_APIS) {
      const paths = routes.map(({ path }) => path.replace(/:(\w+)/g, '<$1>'))
      expect([name, paths.some((path) => service.includes(path))]).toEqual([name, true])
    }
  })

  it('explains operators between values', async () => {
    for (const word of ['has', '!=', 'matches regex', '!between', 'and']) {
      expect((await help(80, word)).split('\n')[0]).toBe(word)
    }
  })
})
