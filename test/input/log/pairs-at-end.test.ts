import { describe, expect, it } from 'vitest'
import { pairsAtEnd } from '../../../src/input/log/pairs-at-end.js'

describe('pairs at the end of a line', () => {
  it.each([
    ['started port=80 host=web-1', ['port', '80'], ['host', 'web-1']],
    ['a=1', ['a', '1']],
    ['x a=1, b=2; c=3', ['a', '1'], ['b', '2'], ['c', '3']],
    ['x a=1,b=2 ,; .', ['a', '1'], ['b', '2']],
    ['x a=1;b c=2;', ['a', '1;b'], ['c', '2']],
    ['said a="b c=d" e="\\"f"', ['a', '"b c=d"'], ['e', '"\\"f"']],
    ['x a= b=', ['a', ''], ['b', '']],
    ['x a=1 y b=2', ['b', '2']],
    ["x path=/{id} keys=[1] b='}'", ['path', '/{id}'], ['keys', '[1]'], ['b', '"}"']],
    ['x a=1\ny=2 is on the next line', ['a', '1']],
    ['x @t=1\ta/b.c-d=2', ['@t', '1'], ['a/b.c-d', '2']],
    [`x ${'k'.repeat(128)}=1`, ['k'.repeat(128), '1']],
  ])('%s', (line, ...pairs) => {
    expect(pairsAtEnd(line)).toEqual(pairs)
  })

  it.each([
    '',
    'no pairs',
    'a=1 is followed by words',
    'GET /items?limit=5 from cache',
    'a="not closed',
    'a=b=c',
    'f(a=1)',
    'x 1a=2',
    'x =1',
    'x a=(1)',
    'opened {id=5, size=12}',
    "Order{id=5, name='x'}",
    'Point[x=1, y=2]',
    `x ${'k'.repeat(129)}=1`,
    `x ${'k'.repeat(129)}="a=b"`,
  ])('are missing: %s', (line) => {
    expect(pairsAtEnd(line)).toEqual([])
  })
})
