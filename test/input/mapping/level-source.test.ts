import { describe, expect, it } from 'vitest'
import { LEVEL_SOURCES, levelSourceOf } from '../../../src/input/mapping/level-source.js'
import { readLeaves } from '../../../src/wire/json/json-line.js'

const source = (...lines: string[]) => levelSourceOf(lines.map((line) => readLeaves(line)))?.name

describe('the source of levels', () => {
  it('is none for events whose levels are normalized, so that they are sent as they are', () => {
    expect(source('{"level":"info","msg":"a"}', '{"level":"error","msg":"b"}')).toBe(undefined)
    expect(source('{"level":"info","msg":"a"}', '{"level":"WARN","msg":"b"}')).toBe('level')
    expect(source('{"severity":"info","message":"a"}')).toBe('severity')
  })

  it('is known for words and numbers of Azure', () => {
    const resource = '"resourceId":"/SUBSCRIPTIONS/1","operationName":"x","category":"y"'
    expect(source(`{${resource},"level":"Error"}`, `{${resource},"level":"4"}`)).toBe('azure')
    const levels = LEVEL_SOURCES.find(({ name }) => name === 'azure')!
    expect(['1', '2', '3', '4', '5', 'Critical', '6'].map(levels.read)).toEqual([
      ...['critical', 'error', 'warn', 'info', 'debug', 'critical'],
      undefined,
    ])
  })
})
