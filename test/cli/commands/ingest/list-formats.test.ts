import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guessNotice } from '../../../../src/cli/ingest/read/format-name.js'
import { detectInput } from '../../../../src/input/input.js'
import { LINE_FORMATS } from '../../../../src/input/log/format/formats.js'
import { openFile } from '../../../../src/input/open.js'
import { main } from '../../../../src/main.js'
import { parseTimestamp } from '../../../../src/wire/time/timestamp.js'
import { fakeIo } from '../../../support/fake-io.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const scratch = temporaryDirectory()

async function evq(...args: readonly string[]) {
  const io = fakeIo({ env: { XDG_CONFIG_HOME: mkdtempSync(join(scratch, 'home-')) } })
  const exitCode = await main(args, io)
  return { exitCode, out: io.out(), err: io.err() }
}

describe('evq ingest --formats', () => {
  it('lists each format with an example, without a dataset', async () => {
    const { exitCode, out } = await evq('ingest', '--formats')
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(exitCode).toBe(0)
    for (const { format, title, example } of rows) {
      expect([format, title, example]).not.toContain('')
    }
    const names = rows.map(({ format }) => format)
    expect(names).toEqual([...new Set(names)])
    expect(names).toEqual(
      expect.arrayContaining(['ndjson', 'csv', 'syslog', ...LINE_FORMATS.map(({ name }) => name)]),
    )
  })

  it('is mentioned when a format does not exist', async () => {
    expect(await evq('ingest', 'logs', '-i', 'log4')).toEqual({
      exitCode: 2,
      out: '',
      err: 'evq: `--input-format` does not accept `log4`. Did you mean `log4j`? `evq ingest --formats` lists the formats.\n',
    })
  })

  it('is the only use of the command without a dataset', async () => {
    const { exitCode, err } = await evq('ingest')
    expect(exitCode).toBe(2)
    expect(err).toContain('Missing required argument `dataset`.')
  })
})

describe('-i <format of lines>', () => {
  const file = join(scratch, 'app.log')
  writeFileSync(
    file,
    'no\nnot one either\n2026-11-20 10:00:00,123 INFO  [main] com.example.App - hi\n',
  )

  it('reads the lines that have the format, and counts the others', async () => {
    const { out, err } = await evq('ingest', 'logs', file, '-i', 'log4j', '--check')
    expect(err).not.toContain('Reading')
    expect(`${out}${err}`).toContain("1 line can't be read as `log4j`")
  })

  it('is named in the message about a detected format', async () => {
    const input = await detectInput(await openFile(file, new AbortController().signal), {
      now: () => parseTimestamp('2026-11-20T12:00:00Z')!,
    })
    expect(guessNotice(input, '-i')).toBe(
      `Reading \`${file}\` as \`log4j\`; \`-i\` sets another format.`,
    )
    await input.bytes.close()
  })
})
