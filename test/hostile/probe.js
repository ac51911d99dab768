// Asks a service for `GET /healthz` every 50 ms, on a connection of its own each time, and prints a line of JSON for each
// answer: when it was due, how long it took from then on, its status and the memory that the service used by then.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'

const EVERY_MS = 50
const [url, pid] = process.argv.slice(2)
const pending = new Set()

function probe() {
  const due = Date.now()
  pending.add(due)
  const done = (status) => {
    pending.delete(due)
    const [oldest = Date.now()] = pending
    const ms = Date.now() - due
    process.stdout.write(`${JSON.stringify({ due, ms, status, oldest, rss: memory() })}\n`)
  }
  const request = get(`${url}/healthz`, { agent: false }, (answer) => {
    answer.resume().on('end', () => done(answer.statusCode))
  })
  request.on('error', (error) => done(error.code))
}

/** Resident bytes of the service. */
function memory() {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return 0
  }
}

setInterval(probe, EVERY_MS)
// The test that started this process is gone.
process.stdin.resume().on('end', () => process.exit())
