// The Markdown is rendered by another program.
import fc from 'fast-check'
import { marked } from 'marked'
import { expect, it } from 'vitest'
import { rendered, tableOf } from './support.js'
import '../support/runs.js'

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Returns the rendered cells as HTML. */
async function shown(texts: readonly string[]): Promise<readonly string[]> {
  const table = tableOf(
    ['text', 'string', texts.map((text) => JSON.stringify(text))],
    ['after', 'string', texts.map(() => '"end"')],
  )
  const html = await marked.parse(await rendered('markdown', [table]))
  const cells = [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell)
  expect(cells.filter((_, index) => index % 2 === 1)).toEqual(texts.map(() => 'end'))
  return cells.filter((_, index) => index % 2 === 0)
}

/** Returns the text of a cell; elements other than line breaks are kept. */
function textOf(cell: string): string {
  const lines = cell.replaceAll('<br>', '\n')
  return lines.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

const AWKWARD = [
  ...['a|b', '||', '\\|', '\\', '\\\\', '`', '`a`', '``|``', '<b>', '<b>bold</b>', '<!-- no -->'],
  ...['[x](y)', '![x](y)', '[x][y]', '[x]: y', '*', '*a*', '**a**', '_', '_a_', '__a__', 'a_b_c'],
  ...['~a~', '~~a~~', '&amp;', '&#42;', '&', '# a', '- a', '1. a', '> a', '---', '===', '$x$'],
  ...[' a', '  a', 'a ', '\ta', ' ', 'a\nb', 'a\r\nb', 'a\rb', '\n', 'a\n', '\n\na', 'a \n b'],
  ...[
    '👩‍👩‍👧‍👦 e\u0301',
    '注文',
    'عربى',
    '\u00a0a',
    '\u2028',
    '["a|b",null]',
    '{"a":"<b>"}',
    'a\\\nb',
    ':--',
    'a__b__c',
    '𓊣__b__',
    '__b__𓊣',
  ],
]

/** Addresses become links automatically, like URLs. */
function withoutAddressLinks(cell: string): string {
  return cell.replaceAll(/<a href="(?:mailto|xmpp):[^"]*">(.*?)<\/a>/g, '$1')
}

const normal = (text: string) => text.replaceAll(/\r\n|\r/g, '\n')

it('Markdown shows awkward strings exactly', async () => {
  expect((await shown(AWKWARD)).map(textOf)).toEqual(AWKWARD.map(normal))
})

it('Markdown shows any string exactly', async () => {
  const marks = fc.string({ unit: fc.constantFrom(...'|`\n<>b[]x()y*_ \\&#;~!:-.a1"\'/=+{}$^@é') })
  // HTML cannot contain these two, and URLs have their own test.
  const any = fc.string({ unit: 'grapheme' }).filter((text) => !/[\0\v]|www\.|:\/\//i.test(text))
  const texts = fc.array(
    fc.oneof(marks, any).filter((text) => text !== ''),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const found = (await shown(given)).map((cell) => textOf(withoutAddressLinks(cell)))
      expect(found).toEqual(given.map(normal))
    }),
  )
})

it('Markdown keeps a URL a link unless that would show other text', async () => {
  const [link, escaped, ...others] = await shown([
    'https://example.com/a_b?c=1&d=2',
    'https://example.com/*x*',
    'see www.example.com/~me, https://example.com/`x`|y and _a_',
  ])
  expect(link).toMatch(/^<a href="[^"]*">https:\/\/example.com\/a_b\?c=1&amp;d=2<\/a>$/)
  expect(textOf(escaped ?? '')).toBe('https://example.com/*x*')
  expect(others.map(textOf)).toEqual(['see www.example.com/~me, https://example.com/`x`|y and _a_'])
})

it('Markdown shows the characters of an address that becomes a link', async () => {
  const texts = ['a_b@example.com', '_a_ x@example.com, *c*', 'a*b@example.com']
  const cells = await shown(texts)
  for (const cell of cells) expect(cell).toMatch(/<a href="mailto:/)
  expect(cells.map((cell) => textOf(withoutAddressLinks(cell)))).toEqual(texts)
})

it('Markdown shows nulls, empty strings, numbers, arrays and objects', async () => {
  const table = tableOf(
    ['a*b|c', 'string', ['null', '""', '"x"']],
    ['n', 'integer', ['9223372036854775807', 'null', '-1']],
    ['list', 'array', ['["a|b","*c*",null]', 'null', '[]']],
    ['map', 'unknown', ['{"<b>":"[x](y)"}', '{"a":"\\\\n"}', 'null']],
  )
  const html = await marked.parse(await rendered('markdown', [table]))
  const names = [...html.matchAll(/<th\b[^>]*>(.*?)<\/th>/gs)].map(([, name = '']) => textOf(name))
  expect(names).toEqual(['a*b|c', 'n', 'list', 'map'])
  const cells = [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => textOf(cell))
  expect(cells).toEqual([
    ...['', '9223372036854775807', '["a|b","*c*",null]', '{"<b>":"[x](y)"}'],
    ...['""', '', '', '{"a":"\\\\n"}'],
    ...['x', '-1', '[]', ''],
  ])
})
