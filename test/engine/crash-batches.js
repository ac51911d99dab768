export const BATCH_EVENTS = 40

/** A batch of events with its name, sometimes with a new field or type. */
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
