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

it('finds the digits of numbers, whichever way events write the numbers', async () => {
  const random = randomFrom(11)
  const digits = (count: number) => String(random(10 ** count)).padStart(count, '0')
  const numbers: readonly (() => string)[] = [
    () => `${random(1000)}.${digits(1 + random(4))}`,
    () => `-${random(1e6)}.${digits(9)}${digits(8)}`,
    () => `${random(10)}.${digits(2)}e${random(4)}`,
    () => `${random(1000)}.5E-${1 + random(12)}`,
    () => `0.000000${digits(2)}`,
    () => `${1 + random(9)}${digits(9)}${digits(9)}${digits(5)}.0`,
    () => `${random(1000)}.${digits(2)}00`,
    () => `0.${digits(9)}${digits(9)}${digits(3)}`,
    () => `${random(1000)}`,
    () => `${1 + random(9)}${digits(9)}.${digits(1 + random(8))}`,
    () => '0.29999999999999999',
  ]
  const events = Array.from({ length: 600 }, (_, id) => {
    const one = () => numbers[random(numbers.length)]!()
    const rare = `"rare${random(300)}":${one()}`
    return { id, real: one(), rare: one(), list: [one(), one()], text: rare }
  })
  const evq = await TemporaryStore.open()
  await evq.ingest(
    events
      .map(({ id, real, list, text }) => `{"id":${id},"real":${real},"list":[${list}],${text}}\n`)
      .join(''),
  )
  expect(evq.field('real')).toMatch(/real:real$/)
  /** The text of a number in results. */
  const written = (number: string) => String(Number(number)).replace('e+', 'e')
  const terms = new Set(['0', '5', '00', '3', '1e', '29999999999999999', '1.5', 'e'])
  for (const { real, list } of events.slice(0, 15)) {
    for (const number of [real, ...list]) {
      for (const part of written(number).split(/[-.]/)) if (part !== '') terms.add(part)
    }
  }
  for (const term of terms) {
    const word = new RegExp(`(?<![0-9a-z])${term.replaceAll('.', '\\.')}(?![0-9a-z])`)
    const expected = events
      .filter(({ real }) => word.test(written(real)))
      .map(({ id }) => [`${id}`])
    const found = await ask(
      evq.world,
      `logs | where tostring(real) has '${term}' | sort by id asc | project id`,
    )
    expect({ term, rows: found.rows }).toEqual({ term, rows: expected })
    const values = `all = * has '${term}', part = * contains '${term}'`
    const exact = await ask(
      evq.world,
      `logs | extend ${values} | sort by id asc | project id, all, part`,
    )
    for (const [i, test] of ['has', 'contains'].entries()) {
      const { rows } = await ask(
        evq.world,
        `logs | where * ${test} '${term}' | sort by id asc | project id`,
      )
      const wanted = exact.rows.filter((row) => row[i + 1] === 'true').map(([id]) => [id])
      expect({ term, test, rows }).toEqual({ term, test, rows: wanted })
    }
  }
})
