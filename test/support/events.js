// Synthetic web events for tests and benchmarks: about 300 bytes and 14 leaf fields each, the same in every run.

const SERVICES = ['api', 'auth', 'billing', 'cart', 'search', 'web']
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE']
const LEVELS = ['info', 'info', 'info', 'info', 'warn', 'error', 'debug']
const COUNTRIES = ['DE', 'FR', 'JP', 'US', 'BR', 'IN']
const START_MS = Date.UTC(2026, 0, 1)

/** The event at a position, as its line of NDJSON without the newline. */
export function eventLine(index) {
  const random = randomFrom(index)
  const status = [200, 200, 200, 201, 204, 301, 404, 500, 503][random(9)]
  const time = new Date(START_MS + index * 10).toISOString()
  const ip = `10.${random(256)}.${random(256)}.${random(256)}`
  const trace = traceIdFrom(random)
  return (
    `{"_time":"${time}","level":"${LEVELS[random(7)]}","service":"${SERVICES[random(6)]}",` +
    `"method":"${METHODS[random(6)]}","path":"/v1/items/${random(5000)}","status":${status},` +
    `"duration_ms":${(random(200_000) / 100).toFixed(2)},"bytes":${random(100_000)},"cached":${random(2) === 1},` +
    `"trace_id":"${trace}","user_id":${random(20_000)},` +
    `"client":{"ip":"${ip}","country":"${COUNTRIES[random(6)]}"},"message":"request ${index} done"}`
  )
}

/** Returns 32 hexadecimal digits. */
export function traceIdFrom(random) {
  const word = () =>
    random(2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return word() + word() + word() + word()
}

/** Pieces of NDJSON, about 4 MB each, with `count` events in all. */
export function* eventChunks(count, first = 0) {
  const perChunk = 13_000
  for (let from = first; from < first + count; from += perChunk) {
    const to = Math.min(from + perChunk, first + count)
    const lines = []
    for (let i = from; i < to; i++) lines.push(eventLine(i))
    yield `${lines.join('\n')}\n`
  }
}

/** Returns a generator of pseudo-random integers below a bound for a seed (mulberry32). */
export function randomFrom(seed) {
  let state = (seed * 2654435761) >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}
