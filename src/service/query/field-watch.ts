import type { Store } from '../../engine/store.js'
import { type Layout, layoutsByName } from '../../sql/layout.js'

/**
 * A change of the fields of datasets after a query was compiled. When one of them was *replaced*, by another column or type, the query
 * may have read null where events have values; when others were *added*, events that are stored meanwhile may have them.
 */
type FieldChange = 'none' | 'added' | 'replaced'

/** Returns a function that resolves with the change of the fields of datasets since this call, also by other services. */
export function watchFields(
  datasets: readonly string[],
  store: Pick<Store, 'layout' | 'refresh'>,
): () => Promise<FieldChange> {
  const before = datasets.map((name) => store.layout(name))
  return async () => {
    await store.refresh()
    const changes = datasets.map((name, i) => changeOf(before[i], store.layout(name)))
    return changes.includes('replaced') ? 'replaced' : changes.includes('added') ? 'added' : 'none'
  }
}

function changeOf(before: Layout | undefined, now: Layout | undefined): FieldChange {
  if (before === now || before === undefined || now === undefined) return 'none'
  const fields = layoutsByName(now)
  const isReplaced = before.fields.some(({ name, column, type }) => {
    const field = fields.get(name)
    return field?.column !== column || field?.type !== type
  })
  if (isReplaced) return 'replaced'
  return now.fields.length > before.fields.length ? 'added' : 'none'
}
