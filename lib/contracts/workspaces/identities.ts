import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId } from '#lib/contracts/fields'
import { IDENTITY_PROVIDERS } from '#lib/domain/workspaces/identity-claims'

export const Identity = z
  .object({
    identity_id: id(),
    provider: z
      .enum(IDENTITY_PROVIDERS)
      .describe(
        '`oidc`: the provider of the operator’s choice. `token`: an issuer of JWTs for the API, which signs nobody in to the dashboard.',
      ),
    issuer: z.string(),
    email: z.string().nullable().describe('What the provider said when it was connected.'),
    created_at: dateTime(),
  })
  .meta({ id: 'Identity' })
export type Identity = z.output<typeof Identity>

const common = { tag: 'Account', errors: 'flat' } as const

export const ListIdentities = contract({
  id: 'listIdentities',
  method: 'GET',
  path: '/account/identities',
  ...common,
  summary: 'List the identities that sign in to the account',
  description:
    'Accounts at Google, Microsoft and other providers. One is connected in the dashboard, while signed in.',
  query: z.object(paging),
  response: listEnvelope(Identity),
  status: 200,
  scope: 'read',
})

export const DisconnectIdentity = contract({
  id: 'disconnectIdentity',
  method: 'DELETE',
  path: '/account/identities/{identity_id}',
  ...common,
  summary: 'Disconnect an identity',
  description:
    'It signs in to this account no more; sessions that it opened go on. 403 `proof_outdated` where the last proof is older than 15 minutes; 409 `last_way_in` where the account would have no other way in.',
  params: z.object({ identity_id: pathId() }),
  response: null,
  status: 204,
  scope: 'admin',
  jwt_only: true,
  refusals: [404, 409],
  destructive: true,
})
