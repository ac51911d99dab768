import { memoized } from '../../text/memoized.js'
import { type JsonSchema, ref, TEXT } from '../../wire/shape/json-schema.js'
import { json } from '../http.js'
import { FOREIGN_APIS, FOREIGN_SCHEMES } from '../ingest/foreign-apis.js'
import type { Handler, Route } from '../route.js'
import { type Operation, pathParameter } from './operation.js'
import { SCHEMAS } from './schemas.js'

/** `GET /openapi.json`: the description of the interface in OpenAPI 3.1. */
export const describe: Handler = async (_, { routes }) => json(200, documentOf(routes))

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or its query does not compile.',
  403: 'The token is missing or unknown, or lacks the permission.',
  404: 'No such dataset or saved query.',
  405: 'The path does not support the method.',
  408: 'The request arrived too slowly.',
  409: 'A dataset of this name already exists.',
  410: 'The batch with this id was removed.',
  413: 'The body is too large.',
  415: 'The media type or the encoding is not supported.',
  422: 'A member is missing, empty, or not one of the allowed values.',
  429: 'Too many queries. `Retry-After` contains the delay in seconds; `X-RateLimit-Limit`, `-Remaining` and `-Reset` describe the limit.',
  432: 'The query exceeded the limits on time or memory.',
  500: 'Internal error. The message contains a request id for reports.',
  503: 'The service is shutting down, not ready, or has too many events to store. `Retry-After` contains the delay in seconds.',
  507: 'The disk of the service is full.',
}

const DATASET = pathParameter('dataset', 'The name of a dataset.', {
  ...TEXT,
  pattern: '^[A-Za-z0-9]([A-Za-z0-9_.-]{0,126}[A-Za-z0-9])?$',
})

const documentOf = memoized((routes: readonly Route[]) => ({
  openapi: '3.1.0',
  info: {
    title: 'Event ingest and query service',
    version: '2.0.0',
    description: description(),
  },
  security: [{ token: [] }],
  paths: paths(routes),
  components: {
    schemas: SCHEMAS,
    responses: {
      Refusal: {
        description: Object.entries(REFUSALS)
          .map(([status, meaning]) => `- ${status}: ${meaning}`)
          .join('\n'),
        content: content({ 'application/json': ref('Error') }),
      },
    },
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        description: `An API token (\`xaat-…\`), or a personal token (\`xapt-…\`), optionally with the header \`x-service-org-id\` or \`x-axiom-org-id\`. The schemes ${schemes()} are accepted, too.`,
      },
    },
  },
}))

/** Formatted on use: `Intl.ListFormat` costs 10 ms on first use. */
function schemes(): string {
  return new Intl.ListFormat('en-GB').format([
    '`Basic` (the token is the password)',
    ...FOREIGN_SCHEMES.map((scheme) => `\`${scheme}\``),
  ])
}

function description(): string {
  const foreign = FOREIGN_APIS.map(
    ({ name, documentation, summary }) => `- [${name}](${documentation}): ${summary}`,
  )
  return [
    'Stores events in datasets, runs APL queries on them, and keeps saved queries.',
    `Clients of other vendors' APIs send events, too:\n${foreign.join('\n')}`,
  ].join('\n\n')
}

function paths(routes: readonly Route[]): Record<string, Record<string, JsonSchema>> {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const { method, path, permission, operation } of routes) {
    if (operation === undefined) continue
    const at = path.replace(/:(\w+)/g, '{$1}')
    const described = describeOperation(operation, { at, permission })
    paths[at] = { ...paths[at], [method.toLowerCase()]: described }
  }
  return paths
}

function describeOperation(
  operation: Operation,
  { at, permission }: { readonly at: string; readonly permission: Route['permission'] },
): JsonSchema {
  const { id, summary, body } = operation
  const ofPath = at.includes('{dataset}') ? [DATASET] : []
  const parameters = [...ofPath, ...(operation.parameters ?? [])]
  return {
    operationId: id,
    summary: permission === 'everything' ? `${summary} Requires a personal token.` : summary,
    ...(permission === 'open' && { security: [] }),
    // OpenAPI 3.1 allows required roles for any kind of security scheme.
    ...(permission.startsWith('starredQueries|') && { security: [{ token: [permission] }] }),
    ...(parameters.length > 0 && { parameters }),
    requestBody: body && { required: true, content: content(body) },
    responses: responses(operation),
  }
}

function responses({ response }: Operation): JsonSchema {
  const { status, description, mediaType, schema } = response
  const success = {
    description,
    ...(mediaType && schema && { content: content({ [mediaType]: schema }) }),
  }
  return { [status]: success, default: { $ref: '#/components/responses/Refusal' } }
}

function content(schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]))
}
