import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { viewTarget } from '../../../../src/cli/commands/view/target.js'
import { fakeIo, silentContext } from '../../../support/fake-io.js'
import { temporaryDirectory } from '../../../support/temporary.js'

it('names the files of a directory, which is not read as a whole', async () => {
  const directory = temporaryDirectory()
  const named = viewTarget({ names: [`${directory}/`] }, silentContext())
  await expect(named).rejects.toThrow(
    `Name its files: \`evq view '${directory}/*'\`, or add \`-r\`.`,
  )
  const several = viewTarget({ names: [import.meta.filename, directory] }, silentContext())
  await expect(several).rejects.toThrow(`\`${directory}\` is a directory.`)
})

it('has the files below a directory with `-r`, and their labels', async () => {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'sub'))
  const none = viewTarget({ names: [directory], recursive: true }, silentContext())
  await expect(none).rejects.toThrow(`There are no files in \`${directory}\`.`)
  const files = ['one.log', 'sub/two.log'].map((name) => join(directory, name))
  for (const file of files) writeFileSync(file, '')
  const named = await viewTarget({ names: [directory], recursive: true }, silentContext())
  const given = await viewTarget(
    { names: [], input: [directory], recursive: true },
    silentContext(),
  )
  for (const target of [named, given]) {
    expect(target).toMatchObject({ kind: 'files', files, title: 'one.log, two.log' })
    expect(target.query.isByTime).toBe(true)
    expect([...target.labels.keys()]).toEqual(files)
    expect(target.readingFlags).toEqual(['--recursive', '--source-fields'])
  }
})

it('reads a query as such, whatever its length and its characters are', async () => {
  const value = 'x'.repeat(300)
  for (const query of [
    `['logs'] | where message == '${value}'`,
    "union ['one'], ['two'] | where message has_cs 'a*'",
    "let wanted = dynamic([1]); ['logs'] | where code in (wanted)",
    'logs | where status >= 500',
    "logs | where message matches regex '[a-z]+'",
    "table('logs') | limit 5",
    "(['logs'] | limit 5) | where status >= 500",
    'print x = 1',
  ]) {
    expect(await viewTarget({ names: [query] }, silentContext())).toMatchObject({ kind: 'dataset' })
  }
  for (const query of [
    `where message == '${value}'`,
    "where * contains 'x'",
    "where tags[0] == 'a' | project-keep req*",
    'count | where Count > 1',
  ]) {
    const context = { ...silentContext(), io: fakeIo({ stdin: '{}' }) }
    expect(await viewTarget({ names: [query] }, context)).toMatchObject({ files: ['-'] })
  }
  const pattern = viewTarget({ names: ['my logs/*.log'] }, silentContext())
  await expect(pattern).rejects.toThrow('No file matches `my logs/*.log`.')
})

it('names a dataset in its query', async () => {
  const separate = viewTarget({ names: ['logs', 'where status >= 500'] }, silentContext())
  await expect(separate).rejects.toThrow(
    'There is no file `logs`. A query reads the files of `-i` or names its dataset: `evq view "[\'logs\'] | where status >= 500"`.',
  )
  const files = viewTarget({ names: ['app.log', 'web.log'] }, silentContext())
  await expect(files).rejects.toThrow(/^There is no file `app\.log`\.$/)
})

it.each(["where level == 'error'", "file('app.log') | where level == 'error'"])(
  'is needed for a query without a dataset: %s',
  async (query) => {
    const context = silentContext()
    const onTerminal = { ...context, io: { ...context.io, stdin: { isTTY: true } as never } }
    await expect(viewTarget({ names: [query] }, onTerminal)).rejects.toThrow(
      'The query names no dataset. It can read files, as in `evq view -i app.log "where level == \'error\'"`, or standard input.',
    )
  },
)
