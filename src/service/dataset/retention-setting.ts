import type { Store } from '../../engine/store.js'
import { parseDuration } from '../../wire/time/duration.js'

/** Returns the maximum age of the events of each dataset that has a setting, in milliseconds. */
export async function retentionPeriods({ retention }: Store): Promise<ReadonlyMap<string, number>> {
  const all = await retention.list()
  return new Map(
    all.flatMap(({ id, body }) => {
      const nanoseconds = parseDuration(body)
      return nanoseconds === undefined ? [] : [[id, Number(nanoseconds) / 1e6]]
    }),
  )
}
