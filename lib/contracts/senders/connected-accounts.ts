import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  id,
  listEnvelope,
  paging,
  pathId,
  text,
  version,
} from '#lib/contracts/fields'
import { failure } from '#lib/contracts/senders/sender-failures'
import { SenderUse } from '#lib/contracts/senders/sender-uses'
import { SOCIAL_ACTION_TYPES } from '#lib/domain/social/social-limits'
import { sitePath } from '#lib/domain/text/site-path'

export const ACCOUNT_PROVIDERS = ['linkedin', 'whatsapp', 'instagram', 'telegram', 'twitter'] as const
export type AccountProvider = (typeof ACCOUNT_PROVIDERS)[number]

const cap = () => z.int().min(0).max(100_000).nullable()
const RampUp = z.object({
  start: z.int().min(1).max(10_000).describe('Actions on the first day.'),
  increase_per_day: z.int().min(0).max(10_000),
})

const CapUse = z.object({
  action_type: z.enum(SOCIAL_ACTION_TYPES),
  day: cap().describe('Maximum per local date; null: no cap.'),
  week: cap().describe('Maximum in any seven consecutive local dates; null: no cap.'),
  used_today: z.int(),
  used_this_week: z.int().describe('Today and the six local dates before.'),
  left_today: z.int().nullable().describe('What is left today, considering both caps; null: no cap.'),
  is_default: z
    .boolean()
    .describe('Whether this is the default cap for this kind of account, unchanged by the owner.'),
})

export const ConnectedAccount = z
  .object({
    account_id: id(),
    provider: z.enum(ACCOUNT_PROVIDERS),
    driver: z.enum(['unipile', 'sandbox']),
    name: z.string(),
    handle: z.string().nullable(),
    avatar_url: z.string().nullable(),
    kind: z.string().describe('The account’s subscription, which decides its default caps.'),
    status: z
      .enum(['connected', 'failing', 'disconnected'])
      .describe(
        '`failing`: it cannot act. Its leads keep their places, and it is retried automatically. `disconnected`: its owner must sign in again.',
      ),
    status_reason: z.string().nullable(),
    ...failure,
    is_default: z.boolean().describe('Used for posts without an account.'),
    min_interval_seconds: z.int(),
    ramp_up: RampUp.nullable().describe('For all actions together.'),
    limits: z
      .object({
        caps: z.array(CapUse),
        today: z
          .int()
          .nullable()
          .describe('What the ramp-up allows today for all actions. Null: no ramp-up.'),
        used_today: z.int(),
        used_by: z.array(SenderUse).describe('Which campaigns used it today, highest count first.'),
        timezone: z.string().describe('The time zone of these days: the owner’s.'),
        resets_at: dateTime(),
        note_characters: z.int().describe('Maximum characters of an invitation note.'),
      })
      .describe('Counted per local date in the owner’s timezone.'),
    last_checked_at: dateTime().nullable(),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'ConnectedAccount' })
export type ConnectedAccount = z.output<typeof ConnectedAccount>

const params = z.object({ account_id: pathId() })
const common = { tag: 'Connected accounts', errors: 'flat' } as const

const returnPath = () =>
  text(1, 2_000)
    .refine((path) => sitePath(path) !== null, 'must be a path on this site, such as /accounts')
    .default('/accounts')

const AuthLink = z.object({
  url: z.string().describe('Where the person signs in, once, within 15 minutes.'),
  provider: z.enum(ACCOUNT_PROVIDERS),
})

export const CreateAuthLink = contract({
  id: 'createAuthLink',
  method: 'POST',
  path: '/connected-accounts/auth-link',
  tag: 'Connected accounts',
  errors: 'legacy',
  summary: 'Create a link to connect an account',
  description:
    'The person opens `url` and signs in at this instance’s provider. The browser then returns to `return_path` of this site, with `connected=1` or `failed=1`.',
  body: z.object({ provider: z.enum(ACCOUNT_PROVIDERS), return_path: returnPath() }),
  response: AuthLink,
  status: 200,
  scope: 'write',
  refusals: [503],
})

export const ListConnectedAccounts = contract({
  id: 'listConnectedAccounts',
  method: 'GET',
  path: '/connected-accounts',
  ...common,
  summary: 'List connected accounts',
  query: z.object(paging),
  response: listEnvelope(ConnectedAccount),
  status: 200,
  scope: 'read',
})

export const ReadConnectedAccount = contract({
  id: 'readConnectedAccount',
  method: 'GET',
  path: '/connected-accounts/{account_id}',
  ...common,
  summary: 'Read a connected account',
  params,
  response: ConnectedAccount,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const UpdateConnectedAccount = contract({
  id: 'updateConnectedAccount',
  method: 'PATCH',
  path: '/connected-accounts/{account_id}',
  ...common,
  summary: 'Change a connected account',
  description:
    'Only the fields you send change. `limits` sets caps by action type: a cap replaces the default for this kind of account, `null` restores the default.',
  params,
  body: z
    .object({
      name: text(1, 200),
      limits: z.partialRecord(
        z.enum(SOCIAL_ACTION_TYPES),
        z.object({ day: cap().optional(), week: cap().optional() }).nullable(),
      ),
      min_interval_seconds: z.int().min(0).max(86_400),
      ramp_up: RampUp.nullable(),
      is_default: z.boolean(),
      version: editedVersion(),
    })
    .partial(),
  response: ConnectedAccount,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const ReconnectAccount = contract({
  id: 'reconnectAccount',
  method: 'POST',
  path: '/connected-accounts/{account_id}/reconnect-link',
  ...common,
  summary: 'Create a link to reconnect an account',
  params,
  body: z.object({ return_path: returnPath() }).prefault({}),
  response: AuthLink,
  status: 200,
  scope: 'write',
  refusals: [404, 503],
})

export const DisconnectAccount = contract({
  id: 'disconnectAccount',
  method: 'DELETE',
  path: '/connected-accounts/{account_id}',
  ...common,
  summary: 'Disconnect an account',
  description:
    'Also disconnects it at the provider. 409 `account_in_use` while the leads of a running campaign wait for a step from it.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409, 502, 503],
  destructive: true,
})
