import { z } from 'zod'
import { contract, SCOPES } from '#lib/contracts/contract'
import { dateTime, dateTimeInput, id, pathId, text } from '#lib/contracts/fields'

export const ApiKey = z
  .object({
    id: id(),
    name: z.string(),
    key_prefix: z.string().describe('The first 12 characters; the raw key is shown once, at creation.'),
    scopes: z.array(z.enum(SCOPES)),
    created_at: dateTime(),
    last_used_at: dateTime().nullable(),
    expires_at: dateTime().nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.output<typeof ApiKey>

export const ListApiKeys = contract({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'List active API keys',
  response: z.object({
    keys: z.array(ApiKey),
    count: z.int(),
    tier_limit: z.int().describe('Most active keys in the tier: free 2, starter 5, growth 20, scale 100.'),
  }),
  status: 200,
  errors: 'legacy',
  scope: 'read',
})

export const CreateApiKey = contract({
  id: 'createApiKey',
  method: 'POST',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'Answers the raw `key` once. Needs a JWT: an API key cannot mint another (403). At `tier_limit` active keys: 403.',
  body: z.object({
    name: text(1, 100),
    scopes: z.array(z.enum(SCOPES)).min(1).max(4).default(['read', 'write', 'send']),
    expires_at: dateTimeInput().nullish().describe('From then on the key answers 401.'),
    expires: z
      .string()
      .max(10)
      .optional()
      .describe(
        'In place of `expires_at`: `never`, a number of days (`30`, `90`, `365`), or the last day (YYYY-MM-DD) in the zone of the account.',
      ),
  }),
  response: ApiKey.extend({ key: z.string() }).meta({ id: 'NewApiKey' }),
  status: 201,
  errors: 'flat',
  scope: 'admin',
  jwt_only: true,
})

export const RevokeApiKey = contract({
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/api-keys/{id}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'Takes effect with the next request that carries it. Needs a JWT.',
  params: z.object({ id: pathId() }),
  response: null,
  status: 204,
  errors: 'flat',
  scope: 'admin',
  jwt_only: true,
  refusals: [404],
  destructive: true,
})
