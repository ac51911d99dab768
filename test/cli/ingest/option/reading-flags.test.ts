import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import {
  fixedFlags,
  flagWords,
  isScannable,
  READING_FLAGS,
  type ReadingFlags,
} from '../../../../src/cli/ingest/option/reading-flags.js'
import { flagName } from '../../../../src/cli/option/option.js'
import { timeZone } from '../../../../src/wire/time/time-zone.js'
import { evqInProcess } from '../../../support/evq-in-process.js'
import { temporaryDirectory } from '../../../support/temporary.js'

interface Example {
  /** The words after `evq query -i <file>`. */
  readonly words: readonly string[]
  readonly text: string
  readonly file?: string
  /** The events of the text; without their times, the times of arrival. */
  readonly events: readonly object[]
}

/** A use of each flag. Without the flag, the same text has other events. */
const EXAMPLES: Readonly<Record<keyof ReadingFlags, Example>> = {
  inputFormat: {
    words: ['--input-format', 'text'],
    text: '{"a":1}\n',
    events: [{ message: '{"a":1}' }],
  },
  parse: {
    words: ['--parse', '%{IP:client} %{WORD:method}'],
    text: '10.0.0.1 GET\n',
    events: [{ client: '10.0.0.1', method: 'GET' }],
  },
  recursive: { words: ['--recursive'], text: '{"a":1}\n', file: '.', events: [{ a: 1 }] },
  timestampField: {
    words: ['--timestamp-field', 'seen'],
    text: '{"seen":"2026-01-02T03:04:05Z"}\n',
    events: [{ _time: '2026-01-02T03:04:05Z', seen: '2026-01-02T03:04:05Z' }],
  },
  timestampFormat: {
    words: ['--timestamp-format', '02~01~2006 15~04'],
    text: '{"_time":"03~02~2026 10~11"}\n',
    events: [{ _time: '2026-02-03T10:11:00Z' }],
  },
  timezone: {
    words: ['--timezone', '+02:00'],
    text: '2026-01-02 03:04:05 started\n',
    events: [{ _time: '2026-01-02T03:04:05+02:00', message: 'started' }],
  },
  year: {
    words: ['--year', '2020'],
    text: 'Mar  1 10:00:00 host app[1]: started\n',
    events: [
      { _time: '2020-03-01T10:00:00Z', host: 'host', app: 'app', pid: 1, message: 'started' },
    ],
  },
  label: { words: ['--label', 'env=prod'], text: '{"a":1}\n', events: [{ a: 1, env: 'prod' }] },
  multiline: {
    words: ['--multiline', '^#'],
    text: '#1\nb\n#2\n',
    events: [{ message: '#1\nb' }, { message: '#2' }],
  },
  sourceFields: {
    words: ['--source-fields'],
    text: '{"a":1}\n{"a":2}\n',
    events: [
      { a: 1, _file: 'a.log', _line: 1, _offset: 0 },
      { a: 2, _file: 'a.log', _line: 2, _offset: 8 },
    ],
  },
  records: {
    words: ['--records', 'data.list'],
    text: '{"data":{"list":[{"a":1},{"a":2}]}}\n',
    events: [{ a: 1 }, { a: 2 }],
  },
  strictInput: { words: ['--strict-input'], text: '{"a":1}\nx\n', events: [{ a: 1 }] },
  csvFields: {
    words: ['--csv-fields', 'a,b'],
    text: '1,2\n3,4\n',
    file: 'a.csv',
    events: [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
  },
  delimiter: {
    words: ['--delimiter', ';'],
    text: 'a,b;c\n1,2;3\n',
    file: 'a.csv',
    events: [{ 'a,b': '1,2', c: 3 }],
  },
}

const scratch = temporaryDirectory()

/** Returns the events that `evq query -i` reads, without nulls. */
async function eventsOf(input: string, words: readonly string[]): Promise<readonly object[]> {
  const { stdout } = await evqInProcess(
    ['query', '-i', input, ...words, '-o', 'ndjson', 'limit 9'],
    { directory: join(scratch, 'absent') },
  )
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line, (_, value) => value ?? undefined))
}

describe('the flags for reading', () => {
  it.each(Object.entries(READING_FLAGS))('have the name of their option: %s', (key, flag) => {
    const option = flag.option({})
    expect(option.long).toBe(flagName(key))
    expect(option.attributeName()).toBe(key)
  })

  it.each(Object.entries(EXAMPLES))('determine the events: %s', async (key, example) => {
    const { words, text, file = 'a.log', events } = example
    const directory = join(scratch, key)
    mkdirSync(directory)
    writeFileSync(join(directory, file === '.' ? 'a.log' : file), text)
    const isTimed = events.some((event) => '_time' in event)
    const read = async (...given: readonly string[]) =>
      (await eventsOf(join(directory, file), given)).map((event) => ({
        ...event,
        ...('_file' in event && { _file: relative(directory, String(event._file)) }),
        // The time of arrival.
        ...(!isTimed && { _time: undefined }),
      }))
    expect(await read(...words)).toEqual(events)
    expect(await read()).not.toEqual(events)
  })

  it.each(Object.entries(EXAMPLES))('are written as they were given: %s', (key, { words }) => {
    const command = new Command().addOption(READING_FLAGS[key as keyof ReadingFlags].option({}))
    expect(flagWords(command.parse(words, { from: 'user' }).opts())).toEqual(words)
  })

  it('are in checkpoints by their names when they determine events', () => {
    const flags: ReadingFlags = {
      inputFormat: 'csv',
      recursive: true,
      parse: ['a'],
      csvFields: ['x', 'y'],
      timezone: timeZone('Europe/Berlin')!,
      label: { env: 'prod' },
    }
    expect(fixedFlags(flags)).toEqual({
      '--parse': 'a',
      '--timezone': 'Europe/Berlin',
      '--label': { env: 'prod' },
      '--csv-fields': ['x', 'y'],
    })
  })

  it('prevent a scan that would ignore one of them', () => {
    expect(isScannable({ timestampField: 'at' })).toBe(true)
    expect(isScannable({ timestampField: 'at', label: { env: 'prod' } })).toBe(false)
  })
})
