// Sends one event per request and prints the response times: `node paced-requests.js <socket>
// <requests> <per second> [<datasets>]`, at a steady rate regardless of earlier responses, or with a
// rate of 0 each after the response to the previous one; to one dataset after the other.
import { Agent, request } from 'node:http'
import { eventLine } from './events.js'

const [, , socketPath, total, rate, datasets = 1] = process.argv.map((one) =>
  /^\d+$/.test(one) ? Number(one) : one,
)
const agent = new Agent({ keepAlive: true, maxSockets: 256 })
const took = []
const failed = []
const start = performance.now()

let sent = 0
if (rate === 0) send(sent++)
else {
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * rate))
    while (sent < due) send(sent++)
    if (sent === total) clearInterval(timer)
  }, 1)
}

function send(index) {
  const sentAt = performance.now()
  const headers = {
    'content-type': 'application/x-ndjson',
    'x-service-batch-id': `${start}-${index}`,
  }
  const path = `/v1/ingest/logs${index % datasets || ''}`
  const outgoing = request({ socketPath, agent, method: 'POST', path, headers }, (answer) => {
    answer.resume()
    answer.on('end', () => settle(answer.statusCode === 200 ? undefined : answer.statusCode))
  })
  outgoing.on('error', (error) => settle(error.message))
  outgoing.end(`${eventLine(index)}\n`)

  function settle(failure) {
    if (failure !== undefined) failed.push(failure)
    took.push(performance.now() - sentAt)
    if (took.length === total) print()
    else if (rate === 0) send(sent++)
  }
}

function print() {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share) => sorted[Math.floor((sorted.length - 1) * share)]
  const seconds = (performance.now() - start) / 1000
  const result = { p50: at(0.5), p99: at(0.99), most: at(1), seconds, failed: failed.length }
  process.stdout.write(`${JSON.stringify({ ...result, first: failed[0] })}\n`)
}
