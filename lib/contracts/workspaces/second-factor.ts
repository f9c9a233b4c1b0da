import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, text } from '#lib/contracts/fields'

const common = { tag: 'Account', errors: 'flat' } as const
const byPeople = { ...common, scope: 'admin', jwt_only: true } as const
const STALE = '403 `proof_outdated` where the last proof is older than 15 minutes: see `/account/proof`.'

export const SecondFactor = z
  .object({
    is_on: z.boolean().describe('Whether a password alone is not enough any more.'),
    on_since: dateTime().nullable(),
    recovery_codes_left: z.int(),
  })
  .meta({ id: 'SecondFactor' })
export type SecondFactor = z.output<typeof SecondFactor>

const RecoveryCodes = z
  .object({
    recovery_codes: z
      .array(z.string())
      .describe('Ten, each good once in place of a code. Only digests are kept: they are not shown again.'),
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
  description: `Turns nothing on yet: gives the secret for an app that shows codes of six digits (TOTP), in place of one that was given before and not confirmed. 409 where it is on already. ${STALE}`,
  response: z
    .object({
      secret: z.string().describe('Base32, to type where no camera is. Not shown again.'),
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
    'With a first code of the app. From then on signing in by password, or by a link that sets one, asks for a code; passkeys and identity providers count as both factors. 409 where nothing was set up, or it is on already. 422: the code is wrong.',
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
  description: `The app's secret and the recovery codes are gone. 409 where it is off. ${STALE}`,
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
  summary: 'Make new recovery codes',
  description: `Those that were given out before are good for nothing any more. 409 where the second factor is off. ${STALE}`,
  response: RecoveryCodes,
  status: 200,
  refusals: [409],
})
