// Asks a service for `GET /healthz` every 50 ms, on a connection of its own each time, and prints a line of JSON for each
// response: when it was due, how long it took from then on, its status and the memory of the service. A bare
// server is probed at the same times: delays of both are due to the machine.
import { readFileSync } from 'node:fs'
import { get } from 'node:http'

const EVERY_MS = 50
const [url, pid, bareUrl] = process.argv.slice(2)
const pending = new Set()

function probe() {
  const due = Date.now()
  pending.add(due)
  const bare = ask(bareUrl)
  ask(`${url}/healthz`).then(async ({ ms, status }) => {
    const { ms: bareMs } = await bare
    pending.delete(due)
    const [oldest = Date.now()] = pending
    process.stdout.write(`${JSON.stringify({ due, ms, bareMs, status, oldest, rss: memory() })}\n`)
  })
}

/** Returns the status of a response, or the code of an error, and the milliseconds until then. */
function ask(url) {
  const began = performance.now()
  return new Promise((resolve) => {
    const done = (status) => resolve({ ms: Math.round(performance.now() - began), status })
    get(url, { agent: false }, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode))
    }).on('error', (error) => done(error.code))
  })
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
