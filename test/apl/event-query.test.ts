import { expect, it } from 'vitest'
import { eventQueryOf } from '../../src/apl/language.js'

it.each([
  ['extend age = now() - _time', ['age']],
  ["extend day = bin(ago(1d), 1h), n = 1, id = strcat('a', rand())", ['day', 'id']],
  ['extend age = now() - _time | project-rename old = age', ['age', 'old']],
  ['extend a = now() | extend b = iff(a > _time, 1, 2), c = other', ['a', 'b']],
  ['extend age = now() | extend age = 5', []],
  ['extend now() - _time, n * 2, name', ['Column1']],
  ['project n + 1, rand(), now = 2', ['Column2']],
  ["parse strcat(now(), x) with * 'T' clock", ['clock']],
  ["extend note = 'now()', n = count_now(x)", []],
  ['where _time > ago(1h) and rand() < 0.5', []],
] as const)('columns with other values in each run of the query: %s', (operators, expected) => {
  expect(eventQueryOf(`['logs'] | ${operators}`)).toMatchObject({ changing: expected })
})

it('columns that are computed from a `let` with the time of the query have other values in each run', () => {
  const query = "let t = now(); let day = t - 1d; let n = 1; ['logs'] | extend age = day, a = n"
  expect(eventQueryOf(query)).toMatchObject({ changing: ['age'] })
})
