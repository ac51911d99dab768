import { listOf, ref, TEXT } from '../../wire/shape/json-schema.js'
import { type Operation, ok } from './operation.js'

const USER: Omit<Operation, 'request' | 'id'> = {
  summary: 'Returns the user that the token stands for.',
  response: ok('The user.', ref('User')),
}

/** The operations that return the user and the organization of a token. */
export const ACCOUNT_OPERATIONS: readonly Operation[] = [
  { ...USER, request: 'get /v1/user', id: 'currentUser' },
  { ...USER, request: 'get /v2/user', id: 'currentUserV2' },
  {
    request: 'get /v2/orgs',
    id: 'organizations',
    summary: 'Lists the organization of the token.',
    response: ok('The organization.', listOf(ref('Organization'))),
  },
  {
    request: 'get /v2/orgs/{id}',
    id: 'organizationById',
    summary: 'Returns the organization of the token.',
    parameters: [
      {
        in: 'path',
        name: 'id',
        description: 'The id of the organization.',
        schema: TEXT,
        isRequired: true,
      },
    ],
    response: ok('The organization.', ref('Organization')),
    refusals: [404],
  },
]
