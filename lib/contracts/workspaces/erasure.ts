import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, text } from '#lib/contracts/fields'

const common = { tag: 'Account', errors: 'flat', status: 200, scope: 'admin', jwt_only: true } as const

const Counts = z.object({
  campaigns: z.int(),
  running_campaigns: z
    .int()
    .describe('They are stopped first. What a mail server has taken cannot be called back.'),
  leads: z.int(),
  datasets: z.int(),
  templates: z.int(),
  mailboxes: z.int(),
  threads: z.int(),
})

export const PrepareErasure = contract({
  id: 'prepareErasure',
  method: 'POST',
  path: '/account/erasure',
  ...common,
  summary: 'Ask to erase the account',
  description: 'Erases nothing: says what would be lost, and gives the token that `/account/erase` asks for.',
  response: z
    .object({
      token: z.string(),
      expires_at: dateTime().describe('After 15 minutes.'),
      email: z.string().describe('To be typed as it is.'),
      will_erase: Counts,
    })
    .meta({ id: 'ErasureRequest' }),
})

export const EraseAccount = contract({
  id: 'eraseAccount',
  method: 'POST',
  path: '/account/erase',
  ...common,
  summary: 'Erase the account',
  description:
    'Irreversible and complete: running campaigns stop, then every row of the account goes, in every table. Confirmed by the password, or by the account’s address together with the token of `/account/erasure`. 409 `erasure_unconfirmed` and `subscription_runs` (cancel it first): nothing was erased. Needs a JWT, which is good for nothing afterwards. Unsubscribe links in mail that was sent go on answering.',
  body: z.union([
    z.object({ password: text(1, 1_000) }),
    z.object({ email: text(1, 320), token: text(1, 200) }),
  ]),
  response: z.object({ erased_at: dateTime(), rows: z.int() }).meta({ id: 'Erasure' }),
  refusals: [409],
  destructive: true,
})
