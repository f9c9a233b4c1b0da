import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging } from '#lib/contracts/fields'

export const SIGN_IN_METHODS = [
  'password',
  'passkey',
  'google',
  'microsoft',
  'oidc',
  'sign_up',
  'link',
] as const

export const SignInRecord = z
  .object({
    sign_in_id: id(),
    at: dateTime(),
    method: z
      .enum(SIGN_IN_METHODS)
      .describe('`link`: an emailed or printed link. `oidc`: the provider that the operator configured.'),
    succeeded: z.boolean(),
    device: z.string().describe('Browser and operating system, as far as the browser reports them.'),
    is_new_device: z.boolean().describe('The account was used before, but never from this device.'),
    place: z.string().nullable().describe('The network it came from, without the last part.'),
    session_id: id().nullable().describe('The session it opened, which may have ended since.'),
  })
  .meta({ id: 'SignInRecord' })
export type SignInRecord = z.output<typeof SignInRecord>

export const ListSignIns = contract({
  id: 'listSignIns',
  method: 'GET',
  path: '/account/sign-ins',
  tag: 'Account',
  errors: 'flat',
  summary: 'List sign-ins',
  description:
    'The last 90 days, latest first: the way of signing in, the device and the network. At most ten failures a minute are kept. No service is asked for the location of a network.',
  query: z.object(paging),
  response: listEnvelope(SignInRecord),
  status: 200,
  scope: 'read',
})
