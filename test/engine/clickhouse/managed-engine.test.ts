import { expect, it } from 'vitest'
import { retryConcurrent, tableKindOf } from '../../../src/engine/clickhouse/managed-engine.js'
import type { RemoteEngine } from '../../../src/engine/clickhouse/remote.js'
import { EngineError } from '../../../src/engine/engine.js'
import type { Sql } from '../../../src/sql/sql.js'

/** A server without tables that creates each as a shared one, and the call of `ask` that waits for `released`. */
function server(waits: Promise<void>) {
  const tables = new Set<string>()
  const nameIn = ({ text }: Sql) => /evq\.(\w+)/.exec(text)?.[1] ?? ''
  return (isWaiting: boolean) =>
    ({
      async run(statement: Sql) {
        if (/^\s*CREATE/.test(statement.text)) tables.add(nameIn(statement))
        else tables.delete(nameIn(statement))
      },
      async ask({ text }: Sql) {
        const name = /name = '(\w+)'/.exec(text)?.[1] ?? ''
        if (isWaiting && name !== 'path') await waits
        const found = tables.has(name) ? ['SharedMergeTree'] : []
        return { columns: new Map([['engine', JSON.stringify(found)]]) }
      },
    }) as unknown as RemoteEngine
}

it('recognizes shared tables while another service that starts does the same', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const connect = server(released)
  const slow = tableKindOf(connect(true))
  expect(await tableKindOf(connect(false))).toBe('shared')
  release()
  expect(await slow).toBe('shared')
})

it.each([517, 47])('repeats a change of a definition after error %i', async (code) => {
  let tries = 0
  await retryConcurrent(async () => {
    tries += 1
    if (tries < 3) throw new EngineError(code, 'another server is ahead')
  })
  expect(tries).toBe(3)
})

it('does not repeat a change that is wrong', async () => {
  const wrong = new EngineError(62, 'syntax error')
  let tries = 0
  const change = retryConcurrent(async () => {
    tries += 1
    throw wrong
  })
  await expect(change).rejects.toBe(wrong)
  expect(tries).toBe(1)
})
