// Events with strings, arrays and objects of every kind, generated with a seed: the same for each run.

const START = Date.UTC(2026, 0, 1)
const WORDS =
  'connection refused timeout session opened closed failed password user kernel usb device started worker handled request upstream cache miss'.split(
    ' ',
  )

/** Data sets by name: the number of events, of elements in their large values, and of fields beside those of all data sets. */
export const DATASETS = {
  small: { events: 20_000, size: 1, others: 0 },
  large: { events: 40, size: 300, others: 0 },
  wide: { events: 3_000, size: 1, others: 300 },
}

/** The lines of a data set as chunks of text. */
export function* eventChunks({ events, size, others }) {
  const random = randomFrom(5)
  let lines = []
  for (let i = 0; i < events; i++) {
    lines.push(JSON.stringify({ ...event(random, i, size), ...fields(random, others) }))
    if (lines.length < 1_000 && i < events - 1) continue
    yield `${lines.join('\n')}\n`
    lines = []
  }
}

function event(random, i, size) {
  const word = () => WORDS[random(WORDS.length)]
  const some = (count, one) => Array.from({ length: count }, (_, k) => one(k))
  const words = (count, between) => some(count, word).join(between)
  const ip = () => some(4, () => 1 + random(254)).join('.')
  const call = { id: '1', function: { name: 'f', arguments: '{}' } }
  return {
    _time: new Date(START + i * 37).toISOString(),
    msg: `${words(12 * size, ' ')} id=${i} took ${random(900)} ms from ${ip()}`,
    ip: ip(),
    ip6: some(8, () => random(65_536).toString(16)).join(':'),
    n: random(1e9),
    x: random(1e9) / 1e7,
    s: word(),
    flag: random(2) === 0,
    url: `https://${word()}.example.com:8443/${words(2 * size, '/')}.html?${some(2 * size, (k) => `k${k}=${word()}`).join('&')}#top`,
    arr: some(4 * size, () => random(100)),
    arr2: some(4 * size, () => random(1e6) / 1e6),
    sarr: some(5 * size, (k) => `${word()}${size === 1 ? '' : k}`),
    dur: `${random(900)}ms`,
    pairs: some(4 * size, () => ({ key: word(), value: random(1000) })),
    kv: some(4 * size, () => `${word()}:${random(1000)}`),
    js: JSON.stringify({
      a: i,
      b: { c: [1, 2, 3] },
      d: word(),
      ...Object.fromEntries(some(10 * size - 10, (k) => [`${word()}${k}`, k])),
    }),
    csv: words(6 * size, ','),
    ts: `2026-01-${10 + random(20)}T10:11:12.${100 + random(900)}Z`,
    size: `${random(900)} KB`,
    b64: Buffer.from(words(4 * size, ' ')).toString('base64'),
    path: `/var/log/${words(2 * size, '/')}.log`,
    ob: {
      k1: i,
      k2: word(),
      k3: Object.fromEntries(some(2 * size, (k) => [`m${k % 50}`, word()])),
    },
    msgs: [
      { role: 'system', content: 'be nice' },
      ...some(size, () => ({ role: 'user', content: `hello ${words(4, ' ')}` })),
      { role: 'assistant', content: 'hi there', tool_calls: [call] },
    ],
    ...(i % 10 === 0 && { rare: i }),
  }
}

function fields(random, count) {
  const word = () => WORDS[random(WORDS.length)]
  const kinds = [
    () => random(1e6),
    () => `${word()}${random(50)}`,
    () => ({ a: word(), b: [word()] }),
  ]
  return Object.fromEntries(
    Array.from({ length: count }, (_, k) => [`f${k}`, kinds[k % 10 === 9 ? 2 : k % 2]()]),
  )
}

/** A pseudo-random integer below a bound. */
function randomFrom(seed) {
  let state = seed >>> 0
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
