import { describe, expect, it } from 'vitest'
import { PictureError } from '../../src/render/picture/picture-error.js'
import type { Table } from '../../src/wire/http/tabular-result.js'
import { rendered, tableOf } from './support.js'

const BARS: Table = {
  ...tableOf(
    ['path', 'string', ['"/a?x=<1>&\\"y\\""', '""', 'null']],
    ['count_', 'integer', ['200', '100', 'null']],
  ),
  groups: [{ name: 'path' }],
}

const LINES: Table = {
  ...tableOf(
    ['_time', 'datetime', [10, 10, 11, 12, 12].map((h) => `"2026-01-01T${h}:00:00Z"`)],
    ['level', 'string', ['"info"', '"error"', '"info"', '"info"', '"error"']],
    ['count_', 'integer', ['0', '50', '100', '50', '100']],
  ),
  groups: [{ name: 'level' }],
}

/** Returns the elements in order, and throws unless each is closed and its attributes are quoted. */
function elements(markup: string): readonly { readonly name: string; readonly tag: string }[] {
  const open: string[] = []
  const found: { name: string; tag: string }[] = []
  const text = markup.replace(
    /<(\/?)([a-z]+)((?: [\w:-]+="[^"<>]*")*)(\/?)>/gi,
    (tag, end, name, _, alone) => {
      if (end !== '') expect(open.pop()).toBe(name)
      else found.push({ name, tag })
      if (end === '' && alone === '') open.push(name)
      return ''
    },
  )
  expect(open).toEqual([])
  expect(text).not.toMatch(/[<>]/)
  return found
}

describe('an SVG picture', () => {
  it('has bars from 0 with their names and values', async () => {
    const svg = await rendered('svg', [BARS])
    const rects = elements(svg).filter(({ tag }) => tag.includes('class="f0"'))
    const widths = rects.map(({ tag }) => Number(/ width="([\d.]+)"/.exec(tag)?.[1]))
    expect(widths[0]! / widths[1]!).toBeCloseTo(2, 1)
    expect(widths[2]).toBe(0)
    expect(svg).toContain('>/a?x=&#60;1&#62;&#38;&#34;y&#34;</text>')
    expect(svg).toContain('<title>&#34;&#34;: 100</title>')
  })

  it('has lines over time with a legend, gaps, and dots where a value has no neighbors', async () => {
    const svg = await rendered('svg', [LINES])
    const paths = [...svg.matchAll(/<path d="([^"]+)" class="line s(\d)"/g)]
    const [errors, infos] = paths.map(([, d]) => d!.match(/[ML][\d.]+ [\d.]+/g)!)
    // The plot is from 44 to 304; the values are from 0 to 100.
    expect(infos?.map((step) => step[0])).toEqual(['M', 'L', 'L'])
    expect(infos?.map((step) => Number(step.split(' ')[1]))).toEqual([304, 44, 174])
    expect(errors?.map((step) => step[0])).toEqual(['M', 'M'])
    expect(errors?.map((step) => Number(step.split(' ')[1]))).toEqual([174, 44])
    const dots = [...svg.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x))
    expect(dots).toHaveLength(2)
    expect(dots[1]).toBe(776)
    for (const text of ['>info</text>', '>error</text>', '>10:00</text>', '>100</text>']) {
      expect(svg).toContain(text)
    }
    elements(svg)
  })

  it('has gaps for time intervals without events', async () => {
    const hours = ['09', '10', '12', '14'].map((hour) => `"2026-01-01T${hour}:00:00Z"`)
    const table = {
      ...tableOf(['_time', 'datetime', hours], ['n', 'integer', ['1', '2', '3', '4']]),
      buckets: { field: '_time', size: 3600e9 },
    }
    const svg = await rendered('svg', [table])
    const [, path = ''] = /<path d="([^"]+)" class="line/.exec(svg) ?? []
    expect(path.replace(/[^ML]/g, '')).toBe('MLMM')
    expect(svg.match(/<circle/g)).toHaveLength(2)
  })

  it('has a title, a description and names of its axes', async () => {
    const svg = await rendered('svg', [LINES])
    expect(svg).toMatch(/^<svg xmlns="[^"]+" [^>]*role="img" aria-labelledby="title description">/)
    expect(svg).toContain('<title id="title">count_ by level</title>')
    expect(svg).toContain('<desc id="description">count_ over time: info; error</desc>')
    expect(svg).toMatch(/rotate\(-90\)"[^>]*>count_<\/text>/)
    expect(svg).toContain('>time, from 2026-01-01T10:00:00Z to 2026-01-01T12:00:00Z</text>')
  })

  it('has only characters that XML allows', async () => {
    const name = 'a\u0001\u001b\ufffe\uffff'
    const bars = {
      ...tableOf([name, 'string', ['"x"']], ['n', 'integer', ['1']]),
      groups: [{ name }],
    }
    for (const format of ['svg', 'html'] as const) {
      const text = await rendered(format, [bars])
      expect(text).toContain('n by a\\u0001\\u001b\\ufffe\\uffff</title>')
      expect([...text].filter((one) => one < ' ' && one !== '\n')).toEqual([])
    }
  })

  it('has colors for a light and a dark background, and loads nothing', async () => {
    for (const format of ['svg', 'html'] as const) {
      const text = await rendered(format, [LINES, BARS])
      expect(text).toContain('@media (prefers-color-scheme:dark)')
      expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
        /https?:|url\(|@import|src=|href=|<script/,
      )
    }
  })

  it('has the charts of all columns and tables below each other', async () => {
    const two = tableOf(
      ['host', 'string', ['"a"']],
      ['n', 'integer', ['1']],
      ['m', 'integer', ['2']],
    )
    const svg = await rendered('svg', [{ ...two, groups: [{ name: 'host' }] }, BARS])
    const titles = [...svg.matchAll(/y="(\d+)" class="title">([^<]+)</g)]
    expect(titles.map(([, , title]) => title)).toEqual([
      'Table 1 of 2: n',
      'Table 1 of 2: m',
      'Table 2 of 2: count_',
    ])
    const heights = titles.map(([, y]) => Number(y))
    expect(heights).toEqual(heights.toSorted((a, b) => a - b))
    expect(new Set(heights).size).toBe(3)
  })

  it('shows the largest eight lines and the first fifty bars, and says what is left', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `"n${i}"`)
    const many = { ...tableOf(['name', 'string', names], ['n', 'integer', names.map(() => '1')]) }
    expect(await rendered('svg', [many])).toContain('… and 10 more rows')
    const rows = names.slice(0, 12).flatMap((name) => [name, name])
    const times = rows.map((_, i) => `"2026-01-01T1${i % 2}:00:00Z"`)
    const lines = tableOf(
      ['_time', 'datetime', times],
      ['name', 'string', rows],
      ['n', 'integer', rows.map(() => '1')],
    )
    expect(await rendered('svg', [lines])).toContain('… and 4 smaller ones')
  })

  it.each([
    ['no rows', tableOf(['n', 'integer', []]), 'There are no rows to draw.'],
    [
      'no numbers',
      tableOf(['a', 'string', ['"x"']]),
      'No column has numbers to draw. A picture needs',
    ],
    ['arrays', tableOf(['a', 'array', ['[1]']]), 'A column has arrays of numbers. A picture needs'],
  ])('is refused for %s', async (_, table, message) => {
    const drawn = rendered('svg', [table])
    await expect(drawn).rejects.toThrow(PictureError)
    await expect(rendered('html', [table])).rejects.toThrow(message)
  })
})

describe('an HTML picture', () => {
  it('is a page that forbids everything but its own style', async () => {
    const page = await rendered('html', [BARS])
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(page).toContain('<title>count_ by path</title>')
    expect(page).toMatch(/<svg [^>]*role="img"[\s\S]*<\/svg>\n<\/body>\n<\/html>\n$/)
  })
})
