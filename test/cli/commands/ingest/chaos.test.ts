import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { numbersFrom } from '../../../kill/random.js'
import { runQuickly } from '../../../support/ingest-run.js'
import { type Mishap, type Refusing, roughService } from '../../../support/rough-service.js'
import { RUNS } from '../../../support/runs.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const scratch = temporaryDirectory()

const REFUSING: readonly Refusing[] = ['each', 'each, without place', 'whole', 'whole, by index']
const HARMLESS: readonly Mishap[] = ['slow', 'cut before', '429', '500 before', '503']
const STORED_UNTOLD: readonly Mishap[] = ['cut after', 'half a response', '500 after']
const GARBLED: readonly Mishap[] = ['garbage', 'garbage before']

describe('an unreliable service', () => {
  it.each([
    { knowsBatchIds: true, mishaps: [...HARMLESS, ...STORED_UNTOLD, ...GARBLED] },
    // One that does not know them stores a batch twice when it breaks off after storing it, by its nature.
    { knowsBatchIds: false, mishaps: [...HARMLESS, '413' as const, ...GARBLED] },
  ])('has no event lost or doubled, and the receipt is right: $knowsBatchIds', async (kind) => {
    for (let seed = 1; seed <= RUNS; seed++) await check(seed, kind)
  })
})

async function check(
  seed: number,
  { knowsBatchIds, mishaps }: { knowsBatchIds: boolean; mishaps: readonly Mishap[] },
): Promise<void> {
  const random = numbersFrom(seed)
  const count = 1 + Math.floor(random() * 200)
  const badness = random() < 0.5 ? 0 : random() * 0.1
  const events = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      n,
      ...(random() < badness && { bad: true }),
      text: 'x'.repeat(random() * 50),
    }),
  )
  const roughness = random() * 0.5
  const service = await roughService({
    knowsBatchIds,
    refuses: REFUSING[Math.floor(random() * REFUSING.length)]!,
    ...(random() < 0.3 && { mostBytes: 200 + Math.floor(random() * 2000) }),
    isBad: (event) => event.includes('bad'),
    mishap: () => (random() < roughness ? mishaps[Math.floor(random() * mishaps.length)]! : 'none'),
  })
  const input = writeInput(events, random)
  const paths = { rejects: join(scratch, 'rejects'), receipt: join(scratch, 'receipt') }
  rmSync(paths.rejects, { force: true })
  const { exitCode } = await runQuickly(service.url, {
    files: [input],
    batchSize: 1 + Math.floor(random() * 60),
    concurrency: 1 + Math.floor(random() * 4),
    ...paths,
  })

  const [file] = JSON.parse(readFileSync(paths.receipt, 'utf8')).files
  const { complete } = JSON.parse(readFileSync(paths.receipt, 'utf8'))
  const { read, accepted, rejected, unsent = 0, unconfirmed = 0 } = file
  const rejects = readFileSync(paths.rejects, 'utf8').split('\n').slice(0, -1)
  const told = rejects.map((line) => JSON.parse(line))
  const saw = `seed ${seed}: ${JSON.stringify({ file, complete, exitCode, stored: service.events.length })}`

  expect(new Set(service.events).size, saw).toBe(service.events.length)
  expect(read, saw).toBe(accepted + rejected + unsent + unconfirmed)
  expect(service.events.length, saw).toBeGreaterThanOrEqual(accepted)
  expect(service.events.length, saw).toBeLessThanOrEqual(accepted + unconfirmed)
  const stored = new Set(service.events)
  for (const reject of told) {
    if (reject.unconfirmed === undefined) expect(stored.has(reject.event), saw).toBe(false)
  }
  const amounts = told.map((reject) => reject.events ?? 1)
  expect(
    amounts.reduce((sum, events) => sum + events, 0),
    saw,
  ).toBe(rejected + unsent + unconfirmed)
  // Every event read is stored or reported; when the service does not say which failed, only the counts show it.
  if (told.every((reject) => reject.events === undefined)) {
    const known = new Set([...stored, ...told.map(({ event }) => event)])
    expect(known.size, saw).toBe(read)
  }
  expect(complete, saw).toBe(read === count && unsent + unconfirmed === 0)
  if (complete) expect(exitCode, saw).toBe(rejected === 0 ? 0 : 3)
  else expect([1, 3], saw).toContain(exitCode)
  await service.stop()
}

/** The same events as lines or as an array. */
function writeInput(events: readonly string[], random: () => number): string {
  // An input at the same place would be taken for the one before, grown.
  const path = join(mkdtempSync(join(scratch, 'run-')), 'input')
  writeFileSync(path, random() < 0.5 ? events.join('\n') : `[${events.join(', ')}]`)
  return path
}
