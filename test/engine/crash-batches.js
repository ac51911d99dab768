export const BATCH_EVENTS = 40

/** A batch of events that all carry its name; now and then with a field, or a type, that nobody saw before. */
export function batchText(name) {
  const number = Number(name.split('-')[1])
  const odd = { [`field${name.replace('-', '_')}`]: number }
  const event = (n) => ({
    batch: name,
    n,
    mixed: number % 10 === 7 ? 'text' : number,
    nested: { value: n / 2 },
    ...(number % 5 === 3 ? odd : {}),
  })
  const lines = Array.from({ length: BATCH_EVENTS }, (_, n) => JSON.stringify(event(n)))
  return `${lines.join('\n')}\n`
}
