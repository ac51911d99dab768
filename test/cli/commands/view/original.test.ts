// The lines of events as they were written, in the view of files.
import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type InputForm, originalsOf } from '../../../../src/cli/commands/view/original.js'
import { shownOriginal } from '../../../../src/cli/commands/view/original-lines.js'
import { StoredBatches } from '../../../../src/cli/commands/view/stored-batches.js'
import type { Batch } from '../../../../src/input/batch.js'
import { until } from '../../../support/until.js'
import { type OpenedView, openView, typed } from '../../../support/view.js'
import { directory } from '../../../support/view-events.js'

/** Records of a file, between `head` and `tail`. */
interface Records {
  readonly records: readonly string[]
  readonly head?: string
  readonly separator?: string
  readonly tail?: string
}

const many = <Item>(count: number, record: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => record(index))
const at = (index: number) =>
  `2026-01-31T10:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`

const FILES: Readonly<Record<string, Records>> = {
  'spaced.ndjson': {
    records: many(30, (index) => `{ "_time" : "${at(index)}Z",\t"n": ${index}.0, "m":"\\u00e9" }`),
  },
  'crlf.ndjson': {
    records: many(9, (index) => `{"_time":"${at(index)}Z","n":${index}}`),
    separator: '\r\n',
  },
  'stray.ndjson': {
    records: many(40, (index) =>
      index % 5 === 2
        ? `Error: bad ${index}\n    at main (app.js:${index})`
        : `{"_time":"${at(index)}Z","n":${index}}`,
    ),
  },
  'blank.ndjson': {
    records: many(20, (index) => `{"_time":"${at(index)}Z","n":${index}}`),
    separator: '\n\n  \n',
  },
  'app.log': {
    records: many(60, (index) =>
      index % 4 === 1
        ? `${at(index)},120 ERROR [main] com.example.A - failed ${index}\njava.lang.Error: \x1b[31mx\x1b[0m\n\tat A.b(A.java:${index})`
        : `${at(index)},120 INFO [main] com.example.A - done   ${index}`,
    ),
  },
  'table.csv': {
    head: 'time,user,note\n',
    records: many(30, (index) => `${at(index)}Z,"a, ""b""",${index % 3 ? index : '"two\nlines"'}`),
  },
  'array.json': {
    head: '[\n',
    records: many(25, (index) => `{\n    "_time": "${at(index)}Z",\n    "n": ${index}\n  }`),
    separator: ',\n  ',
    tail: '\n]\n',
  },
  'sequence.json': {
    records: many(25, (index) => `{\n  "_time": "${at(index)}Z",\n  "n": ${index}\n}`),
  },
  'records.json': {
    head: '{"Records": [',
    records: many(12, (index) => `{"eventTime": "${at(index)}Z", "n": ${index}}`),
    separator: ', ',
    tail: ']}',
  },
  'pairs.log': {
    records: many(30, (index) => `ts=${at(index)}Z level=info msg="a  b" n=${index}`),
  },
  'access.log': {
    records: many(
      30,
      (index) =>
        `10.0.0.${index} - - [31/Jan/2026:10:00:${index + 10} +0000] "GET /${index} HTTP/1.1" 200 ${index}`,
    ),
  },
  'w3c.log': {
    head: '#Version: 1.0\n#Fields: date time c-ip sc-status\n',
    records: many(30, (index) => `2026-01-31 10:00:${index + 10} 10.0.0.${index} 200`),
  },
  messages: {
    records: many(30, (index) => `Jan 31 10:00:${index + 10} web-1 app[12]: event   ${index}`),
  },
  'container.log': {
    records: many(30, (index) => `${at(index)}.120000000Z stdout F level=info n=${index}`),
  },
}

function contentOf({ records, head = '', separator = '\n', tail = '\n' }: Records): string {
  return head + records.join(separator) + tail
}

function write(name: string, content: string | Buffer): string {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}

/** Returns the original of the selected event once it is found. */
function originalIn(view: OpenedView) {
  const { text, place } = shownOriginal(view.state) ?? { text: undefined, place: undefined }
  return { text, place }
}

/** Returns the originals of all events. */
async function allOriginals(view: OpenedView, count: number): Promise<(string | undefined)[]> {
  await view.press('Enter', 'G')
  const found = [originalIn(view).text]
  while (found.length < count) {
    await view.press('J')
    found.push(originalIn(view).text)
  }
  return found
}

describe('the original of each event is its lines in the file', () => {
  for (const [name, records] of Object.entries(FILES)) {
    it(name, async () => {
      const view = await openView([write(name, contentOf(records))])
      expect(view.state.reading?.events).toBe(records.records.length)
      expect(await allOriginals(view, records.records.length)).toEqual(records.records)
    })
  }

  it('of a compressed file', async () => {
    const records = FILES['app.log']!
    const view = await openView([write('app.log.gz', gzipSync(contentOf(records)))])
    expect(await allOriginals(view, records.records.length)).toEqual(records.records)
  })

  it('of a file in UTF-16', async () => {
    const records = FILES['app.log']!
    const text = Buffer.from(`\ufeff${contentOf(records)}`, 'utf16le')
    const view = await openView([write('wide.log', text)])
    expect(await allOriginals(view, records.records.length)).toEqual(records.records)
  })
})

it('of a file in Latin-1 has the characters of the fields', async () => {
  const lines = ['2026-01-31 10:00:00 INFO caf\u00e9', '2026-01-31 10:00:01 INFO \u00fcber \u00ff']
  const view = await openView([write('latin1.log', Buffer.from(`${lines.join('\n')}\n`, 'latin1'))])
  expect(await allOriginals(view, 2)).toEqual(lines)
})

describe('the original of an event in a long file', () => {
  const COUNT = 80_000
  const long = (name: string, { records, ...rest }: Records) =>
    write(
      name,
      contentOf({
        ...rest,
        records: [...many(COUNT, (i) => `${records[0]}`.replaceAll('#', `${i}`))],
      }),
    )
  const LONG: Readonly<Record<string, Records>> = {
    'long.ndjson': {
      records: ['{"_time":"2026-01-31T10:00:00Z","m": "event #.", "pad": "0123456789"}'],
    },
    'long.log': {
      records: [
        '2026-01-31 10:00:00,120 ERROR [main] com.example.A - event #.\njava.lang.Error: x\n\tat A.b(A.java:#)',
      ],
    },
    'long.csv': {
      head: 'time,user,m\n',
      records: ['2026-01-31T10:00:00Z,"a, ""b""\n","event #."'],
    },
    'long.json': {
      head: '[\n',
      records: ['{\n    "_time": "2026-01-31T10:00:00Z",\n    "m": "event #."\n  }'],
      separator: ',\n  ',
      tail: '\n]\n',
    },
    'long-w3c.log': {
      head: '#Version: 1.0\n#Fields: date time cs-uri-stem sc-status cs(User-Agent)\n',
      records: ['2026-01-31 10:00:00 event+#. 200 Mozilla/5.0+(X11;+Linux+x86_64)+AppleWebKit'],
    },
    'long-compose.log': {
      records: [
        'web-1  | 2026-01-31 10:00:00,120 ERROR [main] com.example.A - event #.\nweb-1  | java.lang.Error: x\nweb-1  | \tat A.b(A.java:#)',
      ],
    },
  }
  for (const [name, records] of Object.entries(LONG)) {
    it(name, async () => {
      const view = await openView([long(name, records)])
      expect(view.state.reading?.events).toBe(COUNT)
      for (const index of [0, 999, 1_000, 51_234, 51_235, COUNT - 1]) {
        const text = name.includes('w3c') ? `event+${index}.` : `event ${index}.`
        await view.press('&', ...typed(text), 'Enter', 'Enter', 'G')
        expect(originalIn(view).text).toBe(records.records[0]!.replaceAll('#', `${index}`))
        await view.press('Escape', 'u')
      }
    })
  }
})

describe('files that are not one log from which all events are read', () => {
  const line = (index: number) => `${at(index)},120 INFO [main] com.example.A - done ${index}`
  const lines = (from: number, to: number) => many(to - from, (i) => `${line(from + i)}\n`).join('')
  const foundFor = async (view: OpenedView, text: string) => {
    await view.press('&', ...typed(text), 'Enter', 'Enter', 'G')
    const found = originalIn(view)
    await view.press('Escape', 'u')
    return found
  }

  it('several files, whose events are in the order of their times', async () => {
    const one = write('one.log', lines(0, 20))
    const two = write('two.ndjson', many(20, (i) => `{"_time":"${at(i)}.5Z" ,"n":${i}}\n`).join(''))
    const view = await openView([one, two])
    const merged = many(20, (i) => [line(i), `{"_time":"${at(i)}.5Z" ,"n":${i}}`]).flat()
    expect(await allOriginals(view, 40)).toEqual(merged)
    expect(originalIn(view).place).toBe(`${two}:20`)
  })

  it('events that are rejected, and those with an invalid time, which are stored later', async () => {
    const time = (i: number) => (i % 7 === 3 ? 'none' : `${at(i)}Z`)
    const records = many(50, (i) =>
      i % 11 === 5 ? `{"n":${i},}` : `{"timestamp":"${time(i)}","n":${i}}`,
    )
    const view = await openView([write('times.ndjson', `${records.join('\n')}\n`)])
    const valid = records.filter((record) => !record.endsWith(',}'))
    expect(view.state.reading?.events).toBe(valid.length)
    const found = await allOriginals(view, valid.length)
    expect(found.toSorted()).toEqual(valid.toSorted())
    const { cells } = view.state.rows.items.at(-1)!
    expect(found.at(-1)).toContain(`"n":${cells.get('n')}}`)
  })

  it('a file that grows, also within its last event', async () => {
    const path = write('grows.log', `${lines(0, 10)}${line(10)}`)
    const view = await openView([path])
    await view.press('F')
    appendFileSync(path, `0\n\tat A.b\n${lines(11, 14)}`)
    await until(
      () => view.state.reading!.events === 14 && view.state.reading!.replaced === 1,
      'more',
    )
    expect((await foundFor(view, 'done 100')).text).toBe(`${line(10)}0\n\tat A.b`)
    expect(await foundFor(view, 'done 12')).toEqual({ text: line(12), place: `${path}:14` })
    expect((await foundFor(view, 'done 5')).text).toBe(line(5))
  })

  it('a file that was truncated', async () => {
    const path = write('short.log', lines(0, 30))
    const view = await openView([path])
    truncateSync(path, 10)
    const changed = `It is not found again: \`${path}\` may have changed since it was read.`
    expect((await foundFor(view, 'done 7')).text).toBe(changed)
  })

  it('a file that was replaced', async () => {
    const path = write('rotated.log', lines(0, 30))
    const view = await openView([path])
    await view.press('F')
    appendFileSync(path, lines(30, 40))
    await until(() => view.state.reading!.events === 40, 'more')
    renameSync(path, `${path}.1`)
    writeFileSync(path, lines(40, 80))
    await until(() => view.state.reading!.events === 80, 'the events of the new file')
    const changed = `It is not found again: \`${path}\` may have changed since it was read.`
    expect((await foundFor(view, 'done 27')).text).toBe(changed)
    expect((await foundFor(view, 'done 47')).text).toBe(line(47))
  })

  it('a file that was deleted', async () => {
    const path = write('gone.log', lines(0, 30))
    const view = await openView([path])
    rmSync(path)
    expect((await foundFor(view, 'done 27')).text).toBe(
      `\`${path}\` can't be read: there is no such file.`,
    )
  })
})

it('only the event that was asked for last is read, also when it was asked for before', async () => {
  const lines = ['{"n": 1}', '{"n": 2}', '{"n": 3}']
  const path = write('asked.ndjson', lines.map((text) => `${text}\n`).join(''))
  const form = { name: path, path, isCopy: false, read: {} }
  const stored = new StoredBatches<InputForm>()
  for (const [at, text] of lines.entries()) {
    const start = { line: at + 1, event: at, offset: 9 * at }
    const batch: Batch = {
      ...{ kind: 'batch', input: path, contentType: 'application/x-ndjson', start },
      ...{ body: Buffer.from(`${text}\n`), events: 1, bytes: 9, lines: 1, headLines: 0 },
      release() {},
    }
    const none = { rejected: [], unsent: [], unconfirmed: [], retries: 0 }
    stored.add({ batch, batchId: `${at}`, accepted: 1, ...none }, form)
  }
  const { signal } = new AbortController()
  const original = originalsOf({ stored, before: async (cursor) => Number(cursor), signal })
  const first = original('0')
  await new Promise((resolve) => setImmediate(resolve))
  const found = await Promise.all([original('1'), original('2'), original('0'), first])
  expect(found[2]).toEqual({ kind: 'text', place: `${path}:1`, text: '{"n": 1}' })
  expect(found[3]).toEqual(found[2])
  expect(found.slice(0, 2).map((one) => one?.kind)).toEqual(['missing', 'missing'])
})
