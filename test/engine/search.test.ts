import { expect, it } from 'vitest'
import { ask } from '../support/ask.js'
import { randomFrom } from '../support/events.js'
import { randomEvent } from './random-events.js'
import { TemporaryStore } from './temporary-store.js'

const TERMS =
  'x 5 00500 1e3 true null 2026 a/b c"d b\\ tab u2028 2028 nïc Ü K 😀 a":1 }{ 125 -125 1.5e 7 5.0 1e300 9007199254740993 1000 k'

const BATCHES = 8

it.each([5])(
  'the bytes of columns and texts have each term that the events have, while fields and types change (%i)',
  async (seed) => {
    const random = randomFrom(seed)
    const evq = await TemporaryStore.open()
    let id = 0
    for (let batch = 0; batch < BATCHES; batch++) {
      let text = ''
      for (let i = 0; i < 40; i++) {
        const event = randomEvent(random, batch, BATCHES)
        text += `{"id":${id++},${event.text === '{}' ? '"x":null}' : event.text.slice(1)}\n`
      }
      await evq.ingest(text)
    }
    let hits = 0
    for (const term of TERMS.split(' ')) {
      const tests = ['has', 'contains'].map((name) => `* ${name} ${JSON.stringify(term)}`)
      // A condition in `extend` is not preceded by a search of the bytes.
      const values = tests.map((test, i) => `t${i} = ${test}`).join()
      const all = await ask(
        evq.world,
        `logs | extend ${values} | sort by id asc | project id, t0, t1`,
      )
      for (const [i, test] of tests.entries()) {
        const found = await ask(evq.world, `logs | where ${test} | sort by id asc | project id`)
        const exact = all.rows.filter((row) => row[i + 1] === 'true').map(([id]) => [id])
        expect({ test, rows: found.rows }).toEqual({ test, rows: exact })
        hits += found.rows.length
      }
    }
    expect(hits).toBeGreaterThan(100)
    expect((await evq.query("SELECT countIf(line = '') > 20 AS n FROM logs")).n?.[0]).toBe('1')
  },
)
