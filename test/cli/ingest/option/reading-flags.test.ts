import { describe, expect, it } from 'vitest'
import {
  fixedFlags,
  isScannable,
  READING_FLAGS,
  type ReadingFlags,
} from '../../../../src/cli/ingest/option/reading-flags.js'
import { readOptions } from '../../../../src/cli/ingest/read/inputs.js'
import { flagName } from '../../../../src/cli/option/option.js'
import { timeZone } from '../../../../src/wire/time/time-zone.js'
import { fakeIo } from '../../../support/fake-io.js'

/** A value of each flag; `--recursive` selects files, and `--label` is sent with a request. */
const VALUES: Required<Omit<ReadingFlags, 'recursive' | 'label'>> = {
  inputFormat: 'csv',
  parse: ['%{IP:client} %{WORD:method}'],
  timestampField: 'at',
  timestampFormat: '02.01.2006 15:04',
  timezone: timeZone('Europe/Berlin')!,
  year: 2024,
  multiline: 'off',
  sourceFields: true,
  records: 'hits.hits',
  strictInput: true,
  csvFields: ['a', 'b'],
  delimiter: ';',
}

describe('the flags for reading', () => {
  it.each(Object.entries(READING_FLAGS))('have the name of their option: %s', (key, flag) => {
    const option = flag.option({})
    expect(option.long).toBe(flagName(key))
    expect(option.attributeName()).toBe(key)
  })

  it.each(Object.entries(VALUES))('determine how inputs are read: %s', (key, value) => {
    const read = (flags: ReadingFlags) =>
      readOptions({ dataset: 'logs', files: [], ...flags }, { io: fakeIo() })
    const now = () => 0n
    expect({ ...read({ [key]: value }), now }).not.toEqual({ ...read({}), now })
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
