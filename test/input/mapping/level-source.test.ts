import { describe, expect, it } from 'vitest'
import { levelSourceOf } from '../../../src/input/mapping/level-source.js'
import { readLeaves } from '../../../src/wire/json/json-line.js'

const source = (...lines: string[]) => levelSourceOf(lines.map((line) => readLeaves(line)))?.name

describe('the source of levels', () => {
  it('is none for events whose levels are normalized, so that they are sent as they are', () => {
    expect(source('{"level":"info","msg":"a"}', '{"level":"error","msg":"b"}')).toBe(undefined)
    expect(source('{"level":"info","msg":"a"}', '{"level":"WARN","msg":"b"}')).toBe('level')
    expect(source('{"severity":"info","message":"a"}')).toBe('severity')
  })
})
