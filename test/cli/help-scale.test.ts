import { describe, expect, it } from 'vitest'
import { SCALE } from '../../src/cli/help/topic/scale.js'

// Computes the tables of `evq help scale` again from its measurements and assumptions.

const DAY = 86_400
const PEAK = 3
const EVENTS = [1e9, 1e10, 5e10]
const SHARDS = [1, 2, 3]
const REPLICAS = 2

const lines = SCALE.flatMap((block) => (block.kind === 'code' ? block.lines : []))

/** Returns the numbers at the end of the line that begins with a label. */
function numbers(label: string): readonly number[] {
  const line = lines.find((text) => text.startsWith(label))
  if (line === undefined) throw new Error(`no line ${label}`)
  const rest = line.slice(label.length).replaceAll(',', '')
  return [...rest.matchAll(/[\d.]+/g)].map(([digits]) => Number(digits))
}

const first = (label: string): number => numbers(label)[0]!

const cpu = {
  serve: first('b  evq serve in front of ClickHouse'),
  storing: first('c  the replica that stores'),
  other: first('d  the other replica: copies, first merges'),
  merge: first('e  merging them once more, on each replica'),
  count: first('k  count by a field of few values') / 1000,
}
const bytes = first('per million events of')
const diskMb = first('f  on the disk, with indexes, one copy')
const sentMb = first('h  sent to the other replica')
const [insertRequests = 0, insertWrites = 0] = numbers('i  Keeper requests; of them writes')
const [serveRequests = 0, serveWrites = 0] = numbers('j  Keeper requests; of them writes')
const LEVELS = Math.floor(Math.log10(150e9 / (10_000 * diskMb)))

const perSecond = EVENTS.map((events) => events / DAY)
const peak = perSecond.map((rate) => PEAK * rate)
const services = peak.map((rate) => Math.ceil(rate / 70_000) + 1)
const inserts = peak.map((rate) => rate / 10_000)
const cores = (perMillion: number) =>
  peak.map((rate, i) => ((rate / SHARDS[i]!) * (perMillion + LEVELS * cpu.merge)) / 1e6)
const keeper = (perInsert: number, perServe: number) =>
  inserts.map((rate, i) => perInsert * rate + (perServe * services[i]! * SHARDS[i]! * REPLICAS) / 2)
const perServer = EVENTS.map((events, i) => (events * 30 * diskMb) / 1e12 / SHARDS[i]!)

describe('evq help scale', () => {
  it.each([
    ['events/s, average', perSecond],
    ['events/s, peak', peak],
    ['MB/s received, peak', peak.map((rate) => (rate * bytes) / 1e6)],
    ['evq serve  ', services],
    ['cores, storing replica, peak', cores(cpu.storing)],
    ['cores, other replica, peak', cores(cpu.other)],
    ['inserts/s, peak', inserts],
    ['Keeper requests/s, peak', keeper(insertRequests, serveRequests)],
    ['Keeper writes/s, peak', keeper(insertWrites, serveWrites)],
    ['MB/s between replicas, peak', peak.map((rate) => (rate * sentMb) / 1e6)],
    ['GB a day, one copy', EVENTS.map((events) => (events * diskMb) / 1e9)],
    ['TB in 30 days, each server', perServer],
    ["a server's disk in TB", perServer.map((size) => size / 0.7)],
    ['count over a day, CPU s', EVENTS.map((events) => (events / 1e6) * cpu.count)],
  ])('computes %s', (label, expected) => {
    const shown = numbers(label)
    expect(shown).toHaveLength(EVENTS.length)
    for (const [i, value] of shown.entries()) {
      const digits = lines
        .find((text) => text.startsWith(label))!
        .match(/[\d.,]+/g)!
        .at(i - 3)!
      const unit = digits.includes('.') ? 0.1 : 1
      expect(Math.abs(value - expected[i]!), `${value} for ${expected[i]}`).toBeLessThan(
        0.51 * unit + 1e-9,
      )
    }
  })

  it('names the shards and replicas that it computes with', () => {
    expect(numbers('shards × replicas')).toEqual(SHARDS.flatMap((count) => [count, REPLICAS]))
  })
})
