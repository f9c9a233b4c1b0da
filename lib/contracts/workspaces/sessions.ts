import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId } from '#lib/contracts/fields'

export const Session = z
  .object({
    session_id: id(),
    user_agent: z.string().nullable().describe('What the browser said of itself.'),
    place: z.string().nullable().describe('The network it signed in from; the last part is not kept.'),
    created_at: dateTime(),
    last_seen_at: dateTime().describe('Exact to five minutes.'),
    expires_at: dateTime().describe('Earlier where nothing is done in it for `SESSION_IDLE_DAYS`.'),
  })
  .meta({ id: 'Session' })
export type Session = z.output<typeof Session>

const common = { tag: 'Account', errors: 'flat' } as const

export const ListSessions = contract({
  id: 'listSessions',
  method: 'GET',
  path: '/account/sessions',
  ...common,
  summary: 'List where the account is signed in',
  description:
    'Browsers with a session of the dashboard that has neither ended nor been left alone for too long. API keys are apart: `/api-keys`.',
  query: z.object(paging),
  response: listEnvelope(Session),
  status: 200,
  scope: 'read',
})

export const RevokeSession = contract({
  id: 'revokeSession',
  method: 'DELETE',
  path: '/account/sessions/{session_id}',
  ...common,
  summary: 'Sign a browser out',
  description: 'At its next request; a JWT that was shown in that session ends with it.',
  params: z.object({ session_id: pathId() }),
  response: null,
  status: 204,
  scope: 'admin',
  jwt_only: true,
  refusals: [404],
  destructive: true,
})

export const RevokeOtherSessions = contract({
  id: 'revokeOtherSessions',
  method: 'DELETE',
  path: '/account/sessions',
  ...common,
  summary: 'Sign every other browser out',
  description:
    'Every browser but that of the JWT that asks; all of them where it belongs to none. API keys go on.',
  response: null,
  status: 204,
  scope: 'admin',
  jwt_only: true,
  destructive: true,
})
