import type { StarredQuery } from '../../../wire/http/starred.js'
import { isJsonObject, type JsonObject } from '../../../wire/json/json-object.js'

/** Members of a saved query that flags change one by one. */
export interface StarredFields {
  readonly name?: string
  readonly apl?: string
  readonly dataset?: string
  readonly who?: string
  /** An empty text removes the name. */
  readonly meta?: Readonly<Record<string, string>>
  readonly since?: string
  readonly until?: string
}

/** A saved query that may lack anything yet. */
export type StarredDraft = JsonObject

/** Whether any member is to change. */
export function hasFields(fields: StarredFields): boolean {
  return Object.values(fields).some((value) => value !== undefined)
}

/** The draft with the members of the flags in the place of its own. */
export function edited(draft: StarredDraft, fields: StarredFields): StarredDraft {
  const { name, apl, dataset, who, meta, since, until } = fields
  const query = { ...membersOf(draft.query), ...present({ apl, startTime: since, endTime: until }) }
  const metadata = Object.entries({ ...membersOf(draft.metadata), ...meta })
  return {
    ...draft,
    ...present({ name, dataset, who }),
    ...(Object.keys(query).length > 0 && { query }),
    ...((draft.metadata !== undefined || meta !== undefined) && {
      metadata: Object.fromEntries(metadata.filter(([, value]) => value !== '')),
    }),
  }
}

/** The members of a saved query that are sent: a record that was read has others too. */
export function recordOf(draft: StarredDraft): StarredDraft {
  const { dataset, kind, metadata, name, query, who } = draft as Partial<StarredQuery>
  return present({ dataset, kind, metadata, name, query, who })
}

function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function present(members: JsonObject): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
