import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { numbersFrom } from '../../../kill/random.js'
import { needs } from '../../../support/needs.js'
import { roughService } from '../../../support/rough-service.js'
import { temporaryDirectory } from '../../../support/temporary.js'

/** `EVQ_FULL_DISKS=50` is the long run. */
const ROUNDS = Number(process.env.EVQ_FULL_DISKS ?? 2)
const EVENTS = 2_000

const scratch = temporaryDirectory()
const directory = temporaryDirectory()
const mount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', directory])
const binary = join(import.meta.dirname, '../../../../bin/evq.js')

/** Puts the rejects file on a file system of its own, which is full while it is written, and when it is sent first. */
const SCRIPT = `
  mount -t tmpfs -o "size=$SIZE" tmpfs "$MOUNT"
  run() {
    timeout 300 "$NODE" "$BINARY" ingest logs "$@" --batch-size 100 2>"$STATE/err" </dev/null
    echo "exit $?: $(tail -1 "$STATE/err")"
  }
  run "$INPUT" --rejects "$MOUNT/rejects"
  tail -c 1 "$MOUNT/rejects" | od -An -c
  mount -o remount,size=16m "$MOUNT"
  run "$INPUT" --rejects "$MOUNT/rejects"
  touch "$STATE/fixed"
  dd if=/dev/zero of="$MOUNT/fill" bs=4k 2>"$STATE/err"
  run --retry "$MOUNT/rejects"
  rm "$MOUNT/fill"
  run --retry "$MOUNT/rejects"
  cat "$MOUNT/rejects"
`

describe(
  'a rejects file on a full disk',
  needs(mount.status === 0, 'a file system mounted with `unshare -rm`'),
  () => {
    it(
      'loses none of its events and has none sent twice once there is space',
      async () => {
        const random = numbersFrom(1)
        let torn = 0
        for (let round = 0; round < ROUNDS; round++) {
          const sizeKb = 16 + 4 * Math.floor(random() * 28)
          const found = await fill(join(scratch, String(round)), sizeKb)
          const [first, end, again, unsaved, retried, ...left] = found.lines
          const context = JSON.stringify({ round, sizeKb, lines: found.lines, err: found.err })
          expect(first, context).toMatch(/^exit [13]: /)
          expect(found.wasFull, context).toBe(true)
          const isTorn = end?.trim() !== '\\n'
          if (isTorn) torn += 1
          expect(again, context).toMatch(/^exit 3: /)
          expect(unsaved, context).toMatch(/^exit 1: /)
          expect(retried, context).toMatch(/^exit 0: /)
          // The file keeps the record that was cut off, and no other.
          expect(left.length, context).toBe(isTorn ? 1 : 0)
          expect(found.stored, context).toEqual(found.sent)
        }
        process.stderr.write(`${ROUNDS} full disks: ${torn} cut a record of the rejects file off\n`)
      },
      60_000 + ROUNDS * 300_000,
    )
  },
)

async function fill(state: string, sizeKb: number) {
  mkdirSync(state)
  const fixed = join(state, 'fixed')
  const service = await roughService({
    knowsBatchIds: true,
    isBad: (event) => event.includes('bad') && !existsSync(fixed),
  })
  const sent = Array.from(
    { length: EVENTS },
    (_, n) => `{"n":${n},"pad":"${'x'.repeat(n % 200)}"${n % 3 === 0 ? ',"bad":true' : ''}}`,
  )
  const input = join(state, 'input.ndjson')
  writeFileSync(input, sent.map((event) => `${event}\n`).join(''))
  const { stdout } = await promisify(execFile)('unshare', ['-rm', 'bash', '-c', SCRIPT], {
    env: {
      ...{ PATH: process.env.PATH, NODE: process.execPath, BINARY: binary, MOUNT: directory },
      ...{ STATE: state, XDG_STATE_HOME: state, INPUT: input, SIZE: `${sizeKb}k` },
      EVQ_URL: service.url,
    },
  })
  await service.stop()
  const lines = stdout.trim().split('\n')
  return {
    lines,
    wasFull: !lines[0]!.startsWith('exit 0'),
    stored: [...service.events].sort(),
    sent: sent.sort(),
    err: readFileSync(join(state, 'err'), 'utf8'),
  }
}
