import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { needsEmbedded } from '../support/engine.js'
import { BATCH_EVENTS, batchText } from './crash-batches.js'
import { TemporaryStore } from './temporary-store.js'

const KILLS = Number(process.env.EVQ_KILLS ?? 3)
const WRITER = join(import.meta.dirname, 'crash-writer.js')

/** Runs a process that stores batches, kills it, and returns the acknowledged ones. */
async function writeAndDie(directory: string, round: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [WRITER, directory, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(writer, 'exit')
  const output: string[] = []
  // Any moment will do; these spread over opening the dataset, its growth, inserts and merges.
  const moment = (round * 7) % 10
  const due = new Promise<void>((resolve) => {
    let lines = 0
    createInterface(writer.stdout).on('line', (line) => {
      if (line !== 'open') output.push(line)
      lines += 1
      if (lines > moment * 3) resolve()
    })
  })
  await Promise.race([due, exited])
  await sleep(5 + ((round * 7) % 20))
  writer.kill('SIGKILL')
  const [, signal] = await exited
  expect(signal).toBe('SIGKILL')
  return output
}

async function storedBatches(evq: TemporaryStore): Promise<Map<string, number>> {
  if (evq.store.layout('crash') === undefined) return new Map()
  const { name = [], rows = [] } = await evq.query(
    `SELECT JSONExtractString(line, 'batch') AS name, count() AS rows FROM ${evq.events('crash')} GROUP BY name`,
  )
  return new Map(name.map((one, i) => [JSON.parse(one), Number(rows[i])]))
}

// A service in front of servers is killed in `kill/clickhouse.test.ts`.
it('keeps every acknowledged batch exactly once when the process is killed', {
  ...needsEmbedded,
  timeout: 300_000 + KILLS * 15_000,
}, async () => {
  const evq = await TemporaryStore.open()
  const acknowledged: string[] = []
  for (let round = 0; round < KILLS; round++) {
    await evq.store.close()
    const output = await writeAndDie(evq.directory, round)
    acknowledged.push(...output)
    await evq.reopen()

    const stored = await storedBatches(evq)
    expect([...stored.values()].filter((rows) => rows !== BATCH_EVENTS)).toEqual([])
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([])

    const known = new Set(evq.store.schema.fields('crash')?.map(({ name }) => name))
    const keys =
      stored.size === 0
        ? {}
        : await evq.query(
            `SELECT DISTINCT arrayJoin(JSONExtractKeys(line)) AS k FROM ${evq.events('crash')}`,
          )
    const names = (keys.k ?? [])
      .map((key): string => JSON.parse(key))
      .filter((key) => key !== 'nested')
    expect(names.filter((key) => !known.has(key))).toEqual([])

    // The client got no outcome for these and sends them again.
    for (let i = output.length - 4; i < output.length + 4; i++) {
      if (i < 0) continue
      const name = `${round}-${i}`
      const options = { dataset: 'crash', batchId: name }
      expect(await evq.ingest(batchText(name), options)).toMatchObject({ ingested: BATCH_EVENTS })
      acknowledged.push(name)
    }
    const after = await storedBatches(evq)
    expect([...after.values()].filter((rows) => rows !== BATCH_EVENTS)).toEqual([])
    expect(acknowledged.filter((name) => !after.has(name))).toEqual([])
  }
  expect(acknowledged.length).toBeGreaterThan(50)
})
