import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, text } from '#lib/contracts/fields'

const common = { tag: 'Account', errors: 'flat' } as const
const byPeople = { ...common, scope: 'admin', jwt_only: true } as const
const STALE = '403 `proof_outdated` if the last proof is older than 15 minutes: see `/account/proof`.'

export const SecondFactor = z
  .object({
    is_on: z.boolean().describe('Whether a password needs a code as well.'),
    on_since: dateTime().nullable(),
    recovery_codes_left: z.int(),
  })
  .meta({ id: 'SecondFactor' })
export type SecondFactor = z.output<typeof SecondFactor>

const RecoveryCodes = z
  .object({
    recovery_codes: z
      .array(z.string())
      .describe(
        'Ten codes. Each replaces an app code once. Only digests are stored, so they are not shown again.',
      ),
  })
  .meta({ id: 'RecoveryCodes' })

export const ReadSecondFactor = contract({
  id: 'readSecondFactor',
  method: 'GET',
  path: '/account/second-factor',
  ...common,
  summary: 'Read the second factor',
  response: SecondFactor,
  status: 200,
  scope: 'read',
})

export const StartSecondFactor = contract({
  id: 'startSecondFactor',
  method: 'POST',
  path: '/account/second-factor/start',
  ...byPeople,
  summary: 'Set up an authenticator app',
  description: `Turns nothing on yet. Returns the secret for an authenticator app (TOTP, six digits) and replaces an earlier, unconfirmed one. 409 if it is already on. ${STALE}`,
  response: z
    .object({
      secret: z.string().describe('Base32, for typing it in without a camera. Not shown again.'),
      uri: z.string().describe('`otpauth://`, to be shown as a QR code.'),
    })
    .meta({ id: 'NewSecondFactor' }),
  status: 200,
  refusals: [409],
  unlogged: true,
})

export const TurnOnSecondFactor = contract({
  id: 'turnOnSecondFactor',
  method: 'POST',
  path: '/account/second-factor',
  ...byPeople,
  summary: 'Turn the second factor on',
  description:
    'Needs a first code of the app. From then on, signing in with a password, or with a link that sets one, needs a code; passkeys and identity providers count as both factors. 409 if nothing was set up, or it is already on. 422: the code is wrong.',
  body: z.object({ code: text(1, 20).describe('Six digits.') }),
  response: RecoveryCodes,
  status: 200,
  refusals: [409],
})

export const TurnOffSecondFactor = contract({
  id: 'turnOffSecondFactor',
  method: 'DELETE',
  path: '/account/second-factor',
  ...byPeople,
  summary: 'Turn the second factor off',
  description: `Deletes the app's secret and the recovery codes. 409 if it is off. ${STALE}`,
  response: null,
  status: 204,
  refusals: [409],
  destructive: true,
})

export const ReplaceRecoveryCodes = contract({
  id: 'replaceRecoveryCodes',
  method: 'POST',
  path: '/account/second-factor/recovery-codes',
  ...byPeople,
  summary: 'Create new recovery codes',
  description: `The previous codes stop working. 409 if the second factor is off. ${STALE}`,
  response: RecoveryCodes,
  status: 200,
  refusals: [409],
})
