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
        '`oidc`: the provider that the operator configured. `token`: an issuer of JWTs for the API, which cannot sign in to the dashboard.',
      ),
    issuer: z.string(),
    email: z.string().nullable().describe('What the provider reported when it was connected.'),
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
    'Accounts at Google, Microsoft and other providers. Connect one in the dashboard while signed in.',
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
    'The identity can no longer sign in to this account; its open sessions stay. 403 `proof_outdated` if the last proof is older than 15 minutes; 409 `last_way_in` if there is no other way to sign in.',
  params: z.object({ identity_id: pathId() }),
  response: null,
  status: 204,
  scope: 'admin',
  jwt_only: true,
  refusals: [404, 409],
  destructive: true,
})
