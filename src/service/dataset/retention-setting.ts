import type { Store } from '../../engine/store.js'
import { parseDuration } from '../../wire/time/duration.js'

/** Returns the maximum age of a dataset's events as it was set, such as `30d`; undefined without a setting. */
export async function retentionOf(
  { retention }: Store,
  dataset: string,
): Promise<string | undefined> {
  return (await retention.get(dataset))?.body
}

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

/** Gives a renamed dataset the setting of its old name. */
export async function moveRetention({ retention }: Store, from: string, to: string): Promise<void> {
  const setting = await retention.get(from)
  if (setting === undefined) return
  await retention.put({ id: to, body: setting.body })
  await retention.remove(from)
}

/** Removes the setting of a dataset. */
export async function clearRetention(store: Store, dataset: string): Promise<void> {
  if ((await retentionOf(store, dataset)) !== undefined) await store.retention.remove(dataset)
}
