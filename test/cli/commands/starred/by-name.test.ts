import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { start } from '../../../support/evq.js'
import { evqInProcess } from '../../../support/evq-in-process.js'
import { programIn } from '../../../support/program-in.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const directory = temporaryDirectory()
programIn(directory)
const ids: Record<string, string[]> = {}

beforeAll(async () => {
  const stdin = '{"n":1,"status":500}\n{"n":2,"status":200}\n'
  await evqInProcess(['ingest', 'logs', '-q'], { directory, stdin })
  const saved = [
    ['Errors', "declare query_parameters (least:int); ['logs'] | where status >= least"],
    ['All of / them', "['logs']"],
    ['Twice', "['logs'] | count"],
    ['Twice', "['logs'] | limit 1"],
  ] as const
  for (const [name, apl] of saved) {
    const record = {
      ...{ kind: 'apl', metadata: {}, name, who: 'all' },
      query: { apl, ...(name === 'Errors' && { variables: { least: 500 } }) },
    }
    const created = await evqInProcess(['starred', 'create', '-f', '-'], {
      directory,
      stdin: JSON.stringify(record),
    })
    ids[name] = [...(ids[name] ?? []), JSON.parse(created.stdout).id]
  }
})

const run = (...args: string[]) =>
  evqInProcess(['starred', 'run', ...args], { directory, stdin: '' })

function tail(...args: string[]) {
  const tail = start(['tail', '--interval', '50ms', ...args], { directory })
  onTestFinished(async () => void (await tail.kill()))
  return tail
}

describe('a saved query by its name', () => {
  it('runs like by its id', async () => {
    const columns = ['--columns', 'n,status']
    const byName = await run('Errors', ...columns)
    expect(byName).toMatchObject({ status: 0, stdout: '{"n":1,"status":500}\n' })
    expect((await run(ids.Errors![0]!, ...columns)).stdout).toBe(byName.stdout)
    const spaced = await run('All of / them', ...columns)
    expect(spaced.stdout.trimEnd().split('\n')).toHaveLength(2)
  })

  it('may have parameters whose values come with each run', async () => {
    const apl = "declare query_parameters (least:int); ['logs'] | where status >= least"
    const create = (name: string, query: string) =>
      evqInProcess(['starred', 'create', '--name', name, '--apl', query], { directory })
    expect((await create('Least', apl)).status).toBe(0)
    const least = await run('Least', '-p', 'least=500', '--columns', 'n')
    expect(least).toMatchObject({ status: 0, stdout: '{"n":1}\n' })
    expect((await run('Least')).stderr).toContain('error[missing-parameter]')

    const mistyped = await create('Mistyped', apl.replace('status', 'statsu'))
    expect(mistyped.status).toBe(2)
    expect(mistyped.stderr).toContain('error[unknown-field]')
  })

  it('is printed, changed and deleted by its name', async () => {
    const starred = (...args: string[]) => evqInProcess(['starred', ...args], { directory })
    await starred('create', '--name', 'Old name', '--apl', "['logs']")
    expect(JSON.parse((await starred('get', 'Old name')).stdout)).toMatchObject({ who: 'user' })
    const updated = await starred('update', 'Old name', '--name', 'New name')
    expect(updated.stderr).toBe('- name: Old name\n+ name: New name\nNew name: updated\n')
    expect((await starred('delete', 'New name')).status).toBe(0)
    expect(await starred('get', 'New name')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No saved query has the id or the name `New name`'),
    })
  })

  it('is rejected with the ids when several have the name', async () => {
    const { status, stderr } = await run('Twice')
    expect(status).toBe(2)
    const [one, other] = ids.Twice!
    expect([one, other].every((id) => stderr.includes(`\`${id}\``))).toBe(true)
    expect(stderr).toMatch(/^evq: 2 saved queries have the name `Twice`\. Use one of their ids: /)
  })

  it('is rejected with similar names when none has it', async () => {
    expect(await run('Erors')).toMatchObject({
      status: 1,
      stderr: 'evq: No saved query has the id or the name `Erors`. Did you mean `Errors`?\n',
    })
    expect((await run('nothing like it')).stderr).toContain('`evq starred list` prints the ids')
  })

  it('is followed by tail, with its parameters and overrides', async () => {
    const { out } = tail('--starred', 'Errors', '--since', '1h', '--columns', 'n')
    await out.until(/"n":1}\n/)
    const { out: lower } = tail('--starred', 'Errors', '-p', 'least=200', '--since', '1h')
    await lower.until(/"n":2/)
    await evqInProcess(['ingest', 'logs', '-q'], {
      directory,
      stdin: '{"n":3,"status":100}\n{"n":4,"status":503}\n',
    })
    await out.until(/"n":4}\n/)
    expect(out.text()).toBe('{"n":1}\n{"n":4}\n')
  })

  it('is followed only when it is the one thing to follow', async () => {
    const both = await evqInProcess(['tail', 'logs', '--starred', 'Errors'], { directory })
    expect(both).toMatchObject({ status: 2, stderr: expect.stringContaining('given twice') })
    const none = await evqInProcess(['tail'], { directory })
    expect(none).toMatchObject({
      status: 2,
      stderr:
        'evq: What to follow is missing: a dataset, a query or `--starred <name>`. `evq view -f` follows files and standard input.\n',
    })
    const unknown = await evqInProcess(['tail', '--starred', 'Erors'], { directory })
    expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining('`Errors`?') })
  })
})
