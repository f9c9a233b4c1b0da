import { z } from 'zod'
import { contract, SCOPES } from '#lib/contracts/contract'
import { dateTime, dateTimeInput, editedVersion, id, pathId, text, version } from '#lib/contracts/fields'
import { Permissions } from '#lib/contracts/permissions'
import { KEY_ROLES } from '#lib/domain/workspaces/roles'

const Network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** Validated as text, so that the error is the same for each notation of a network. */
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
    'IPv4 and IPv6 addresses and networks (CIDR) that can use the key. Others get 403 `network_not_allowed`. Empty: no restriction.',
  )

const GivenPermissions = Permissions.refine(
  (given) => Object.values(given).some((verb) => verb !== 'none'),
  'must permit something',
)

export const ApiKey = z
  .object({
    id: id(),
    name: z.string(),
    key_prefix: z.string().describe('The first 12 characters. The full key is shown only at creation.'),
    scopes: z.array(z.enum(SCOPES)),
    role: z
      .enum(KEY_ROLES)
      .nullable()
      .describe(
        'The key’s maximum role. Null: the same as its creator’s. Each request uses the lower of this and the creator’s current role.',
      ),
    permissions: Permissions.nullable(),
    allowed_networks: z.array(z.string()),
    created_at: dateTime(),
    last_used_at: dateTime().nullable(),
    last_used_place: z
      .string()
      .nullable()
      .describe('The network it was last used from, without the last part: 203.0.113.0/24.'),
    expires_at: dateTime().nullable(),
    version: version(),
    replaced_by: id().nullable().describe('The new key, if this one was rolled.'),
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
        'Maximum active keys in the tier: free 2, starter 5, growth 20, scale 100. Rolled keys do not count.',
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
    'Returns the full `key` once: `opn_live_`, 43 characters and a checksum of 6. Needs a JWT: an API key cannot create another (403). At `tier_limit` active keys: 403.',
  body: z.object({
    name: text(1, 100),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .max(4)
      .default(['read', 'write', 'send'])
      .describe('Each counts once.'),
    role: z
      .enum(KEY_ROLES)
      .nullish()
      .describe(
        'Not above yours: 403 `role_above_own`. None: the key has your role, also when that changes.',
      ),
    permissions: GivenPermissions.nullish(),
    allowed_networks: Networks.default([]),
    expires_at: dateTimeInput().nullish().describe('After this time, the key gets 401.'),
    expires: z
      .string()
      .max(10)
      .optional()
      .describe(
        'Instead of `expires_at`: `never`, a number of days (`30`, `90`, `365`), or the last day (YYYY-MM-DD) in the account’s time zone.',
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
  description:
    'Takes effect with the next request of the key. You cannot give a key a role above your own, or change `permissions` or `allowed_networks` of a key with more rights than you: 403 `role_above_own`. Needs a JWT.',
  params: z.object({ id: pathId() }),
  body: z.object({
    name: text(1, 100).optional(),
    role: z.enum(KEY_ROLES).nullable().optional(),
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
  summary: 'Roll an API key',
  description:
    'Returns a new key with the same rights and the same lifetime, and its full `key` once. The old key keeps working for `overlap_hours`, so that you can replace it without downtime. During that time, the new key cannot be rolled: 409 `key_roll_under_way`. A key you roll for somebody else then acts as you, with at most its role. 409 `invalid_state` if its creator has left the workspace or is a client, because it no longer works. Needs a JWT.',
  params: z.object({ id: pathId() }),
  body: z
    .object({
      overlap_hours: z.int().min(0).max(168).default(24).describe('0 ends the old key immediately.'),
    })
    .prefault({}),
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
  description: 'Takes effect with the next request of the key. Needs a JWT.',
  params: z.object({ id: pathId() }),
  response: null,
  status: 204,
  errors: 'flat',
  scope: 'admin',
  jwt_only: true,
  refusals: [404],
  destructive: true,
})
