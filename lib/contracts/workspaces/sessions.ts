import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId, sortBy } from '#lib/contracts/fields'
import { bothWays } from '#lib/domain/text/row-order'

export const Session = z
  .object({
    session_id: id(),
    user_agent: z.string().nullable().describe('The browser’s user agent.'),
    place: z.string().nullable().describe('The network it signed in from, without the last part.'),
    created_at: dateTime(),
    last_seen_at: dateTime().describe('Exact to five minutes.'),
    expires_at: dateTime().describe('Earlier after `SESSION_IDLE_DAYS` without activity.'),
  })
  .meta({ id: 'Session' })
export type Session = z.output<typeof Session>

const common = { tag: 'Account', errors: 'flat' } as const

const SESSION_SORTS = bothWays(['browser', 'place', 'created_at', 'last_seen_at'])

export const ListSessions = contract({
  id: 'listSessions',
  method: 'GET',
  path: '/account/sessions',
  ...common,
  summary: 'List signed-in browsers',
  description:
    'Browsers with an active session of the dashboard, newest first unless `sort` sets another order. For API keys, see `/api-keys`.',
  query: z.object({ sort: sortBy(SESSION_SORTS), ...paging }),
  response: listEnvelope(Session),
  status: 200,
  scope: 'read',
})

export const RevokeSession = contract({
  id: 'revokeSession',
  method: 'DELETE',
  path: '/account/sessions/{session_id}',
  ...common,
  summary: 'Sign out a browser',
  description: 'Takes effect at its next request. A JWT shown in that session ends with it.',
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
  summary: 'Sign out all other browsers',
  description:
    'Signs out every browser except that of the calling JWT, or all of them if the JWT belongs to none. API keys keep working.',
  response: null,
  status: 204,
  scope: 'admin',
  jwt_only: true,
  destructive: true,
})
