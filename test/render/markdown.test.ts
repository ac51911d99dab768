import { describe, expect, it } from 'vitest'
import { rendered, tableOf } from './support.js'

async function cell(text: string): Promise<string> {
  const table = tableOf(['a', 'string', [JSON.stringify(text)]])
  const line = (await rendered('markdown', [table])).split('\n')[2] ?? ''
  return line.replace(/^\| (.*) \|$/, '$1')
}

describe('Markdown output', () => {
  it('aligns strings left and numbers right, and is empty for null', async () => {
    const table = tableOf(
      ['service', 'string', ['"cart"', 'null', '""']],
      ['count_', 'integer', ['12', 'null', '9007199254740993']],
      ['took', 'timespan', ['80000000000', 'null', 'null']],
    )
    expect(await rendered('markdown', [table])).toBe(
      [
        '| service | count_ | took |',
        '| :------ | -----: | ---: |',
        '| cart | 12 | 1m20s |',
        '|  |  |  |',
        '| "" | 9007199254740993 |  |',
        '',
      ].join('\n'),
    )
  })

  it('keeps a cell within its cell', async () => {
    expect(await cell('a|b\nc\r\nd')).toBe('a\\|b<br>c<br>d')
  })

  it('escapes markup', async () => {
    expect(await cell('<b> *x* `y` ~z~ \\n')).toBe('\\<b> \\*x\\* \\`y\\` \\~z\\~ \\\\n')
    expect(await cell('[a](b) &amp; & [c]')).toBe('[a\\](b) \\&amp; & [c]')
    expect(await cell('_a_')).toBe('\\_a\\_')
  })

  it('does not escape the underscores of names', async () => {
    expect(await cell('_time and count_by_level')).toBe('_time and count_by_level')
  })

  it('has a title for each of several tables', async () => {
    const table = tableOf(['a', 'integer', ['1']])
    expect(await rendered('markdown', [table, table])).toBe(
      '**Table 1 of 2**\n\n| a |\n| --: |\n| 1 |\n\n**Table 2 of 2**\n\n| a |\n| --: |\n| 1 |\n',
    )
  })
})
