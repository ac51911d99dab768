import { buffer } from 'node:stream/consumers'
import { defined } from '../../../text/defined.js'
import type { StarredQuery } from '../../../wire/http/starred.js'
import { parseExactJson } from '../../../wire/json/exact-json.js'
import { isJsonObject, type JsonObject } from '../../../wire/json/json-object.js'
import type { Context } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import { readTextFile } from '../../query/query-text.js'

/** The members of a saved query that flags set. */
export interface StarredFields {
  readonly name?: string
  readonly apl?: string
  readonly dataset?: string
  readonly who?: string
  /** An empty value removes the name. */
  readonly meta?: Readonly<Record<string, string>>
  readonly since?: string
  readonly until?: string
}

/** A saved query that may be incomplete. */
export type StarredDraft = JsonObject

/** True when any member is set. */
export function hasFields(fields: StarredFields): boolean {
  return Object.values(fields).some((value) => value !== undefined)
}

/** Returns the draft with the members of the flags replaced. */
export function applyFields(draft: StarredDraft, fields: StarredFields): StarredDraft {
  const { name, apl, dataset, who, meta, since, until } = fields
  const query = {
    ...membersOf(draft.query),
    ...defined({ apl, startTime: since, endTime: until }),
  }
  const metadata = Object.entries({ ...membersOf(draft.metadata), ...meta })
  return {
    ...draft,
    ...defined({ name, dataset, who }),
    ...(Object.keys(query).length > 0 && { query }),
    ...((draft.metadata !== undefined || meta !== undefined) && {
      metadata: Object.fromEntries(metadata.filter(([, value]) => value !== '')),
    }),
  }
}

/** Returns the members of a saved query that are sent; a record from the service has other members as well. */
export function recordOf(draft: StarredDraft): StarredDraft {
  const { dataset, kind, metadata, name, query, who } = draft as Partial<StarredQuery>
  return defined({ dataset, kind, metadata, name, query, who })
}

function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Reads the record in a file or on standard input; returns undefined without either. Throws when the record can't be read. */
export async function readDraft(
  file: string | undefined,
  { io }: Pick<Context, 'io'>,
  { mayPipe }: { readonly mayPipe: boolean },
): Promise<StarredDraft | undefined> {
  if (file !== undefined && file !== '-')
    return draftOf(await readTextFile(file, 'The record'), `\`${file}\``)
  if (file === undefined && (io.stdin.isTTY || !mayPipe)) return undefined
  return draftOf((await buffer(io.stdin)).toString('utf8'), 'standard input')
}

function draftOf(text: string, origin: string): StarredDraft {
  if (text.trim() === '') {
    throw new UsageError(`There is no record in ${origin}. A record is a JSON object.`)
  }
  let value: unknown
  try {
    value = parseExactJson(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The record in ${origin} is not JSON: ${why}.`)
  }
  if (isJsonObject(value)) {
    // The id is not sent with the record: the URL of the request has it.
    const { id: _, ...record } = value
    return record
  }
  throw new UsageError(`The record in ${origin} is not an object.`)
}
