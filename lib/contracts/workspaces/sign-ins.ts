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
      .describe('`link`: one that was mailed or printed. `oidc`: the provider of the operator’s choice.'),
    succeeded: z.boolean(),
    device: z.string().describe('Browser and system in words, as far as the browser says.'),
    is_new_device: z.boolean().describe('The account had been opened before, and never from this one.'),
    place: z.string().nullable().describe('The network it came from; the last part is not kept.'),
    session_id: id().nullable().describe('Of the browser that was let in; it may have ended since.'),
  })
  .meta({ id: 'SignInRecord' })
export type SignInRecord = z.output<typeof SignInRecord>

export const ListSignIns = contract({
  id: 'listSignIns',
  method: 'GET',
  path: '/account/sign-ins',
  tag: 'Account',
  errors: 'flat',
  summary: 'List who signed in, and who tried',
  description:
    'Of the last 90 days, the latest first: how, from which device and which network. Of failures at most ten a minute are kept. No service is asked where a network is.',
  query: z.object(paging),
  response: listEnvelope(SignInRecord),
  status: 200,
  scope: 'read',
})
