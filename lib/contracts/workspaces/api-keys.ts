import { z } from 'zod'
import { contract, SCOPES } from '#lib/contracts/contract'
import { dateTime, dateTimeInput, editedVersion, id, pathId, text, version } from '#lib/contracts/fields'
import { Permissions } from '#lib/contracts/permissions'

const Network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** As text, so that a refusal says the same of each form that a network has. */
const Networks = z
  .array(
    z
      .string()
      .trim()
      .toLowerCase()
      .max(49)
      .refine(
        (value) => Network.safeParse(value).success,
        'must be an address or a network, such as 203.0.113.7, 198.51.100.0/24 or 2001:db8::/32',
      ),
  )
  .max(50)
  .describe(
    'IPv4 and IPv6 addresses and networks (CIDR) that the key may be used from; elsewhere it is answered 403 `network_not_allowed`. Empty: from everywhere.',
  )

const GivenPermissions = Permissions.refine(
  (given) => Object.values(given).some((verb) => verb !== 'none'),
  'must permit something',
)

export const ApiKey = z
  .object({
    id: id(),
    name: z.string(),
    key_prefix: z.string().describe('The first 12 characters; the raw key is shown once, at creation.'),
    scopes: z.array(z.enum(SCOPES)),
    permissions: Permissions.nullable(),
    allowed_networks: z.array(z.string()),
    created_at: dateTime(),
    last_used_at: dateTime().nullable(),
    last_used_place: z
      .string()
      .nullable()
      .describe('The network of the last use, without its last part: 203.0.113.0/24.'),
    expires_at: dateTime().nullable(),
    version: version(),
    replaced_by: id().nullable().describe('Of a key that was rolled: the new one.'),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.output<typeof ApiKey>

const NewApiKey = ApiKey.extend({ key: z.string() }).meta({ id: 'NewApiKey' })

export const ListApiKeys = contract({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'List active API keys',
  response: z.object({
    keys: z.array(ApiKey),
    count: z.int(),
    tier_limit: z
      .int()
      .describe(
        'Most active keys in the tier: free 2, starter 5, growth 20, scale 100. A key that was rolled is not counted.',
      ),
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
    'Answers the raw `key` once: `opn_live_`, 43 signs and a checksum of 6. Needs a JWT: an API key cannot mint another (403). At `tier_limit` active keys: 403.',
  body: z.object({
    name: text(1, 100),
    scopes: z.array(z.enum(SCOPES)).min(1).max(4).default(['read', 'write', 'send']),
    permissions: GivenPermissions.nullish(),
    allowed_networks: Networks.default([]),
    expires_at: dateTimeInput().nullish().describe('From then on the key answers 401.'),
    expires: z
      .string()
      .max(10)
      .optional()
      .describe(
        'In place of `expires_at`: `never`, a number of days (`30`, `90`, `365`), or the last day (YYYY-MM-DD) in the zone of the account.',
      ),
  }),
  response: NewApiKey,
  status: 201,
  errors: 'flat',
  scope: 'admin',
  jwt_only: true,
})

export const UpdateApiKey = contract({
  id: 'updateApiKey',
  method: 'PATCH',
  path: '/api-keys/{id}',
  tag: 'API keys',
  summary: 'Rename or restrict an API key',
  description: 'Holds from the next request that carries the key. Needs a JWT.',
  params: z.object({ id: pathId() }),
  body: z.object({
    name: text(1, 100).optional(),
    permissions: GivenPermissions.nullable().optional(),
    allowed_networks: Networks.optional(),
    version: editedVersion(),
  }),
  response: ApiKey,
  status: 200,
  errors: 'flat',
  scope: 'admin',
  jwt_only: true,
  refusals: [404, 409],
})

export const RollApiKey = contract({
  id: 'rollApiKey',
  method: 'POST',
  path: '/api-keys/{id}/roll',
  tag: 'API keys',
  summary: 'Replace an API key by a new one',
  description:
    'Answers a new key with the same rights and as long a life, its raw `key` once. The old one answers for `overlap_hours` more, so that whatever uses it can be changed without a pause. While it does, the new one cannot be rolled: 409 `key_roll_under_way`. Needs a JWT.',
  params: z.object({ id: pathId() }),
  body: z.object({
    overlap_hours: z.int().min(0).max(168).default(24).describe('0 ends the old key at once.'),
  }),
  response: NewApiKey,
  status: 201,
  errors: 'flat',
  scope: 'admin',
  jwt_only: true,
  refusals: [404, 409],
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
