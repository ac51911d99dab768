/**
 * Returns a function that resolves at most `count` times per iteration of the event loop, in the order of the calls. The event loop
 * is thus blocked by at most `count` of the tasks that wait for it at a time.
 */
export function limitPerTick(count: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  let left = count
  function renew(): void {
    const next = waiting.splice(0, count)
    left = count - next.length
    for (const resolve of next) resolve()
    if (next.length > 0) setImmediate(renew)
  }
  return async () => {
    if (left === count) setImmediate(renew)
    if (left > 0) left -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
}
