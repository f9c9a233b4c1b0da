import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  id,
  listEnvelope,
  paging,
  pathId,
  sortBy,
  text,
  version,
} from '#lib/contracts/fields'
import { bothWays } from '#lib/domain/text/row-order'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

const options = <T>(call: string) =>
  z
    .custom<T>(isObject, 'must be an object')
    .meta({ type: 'object', additionalProperties: {} })
    .describe(`For \`navigator.credentials.${call}\`, in WebAuthn’s JSON form. Valid once, for five minutes.`)

/** The challenge that an authenticator signs. */
export const PasskeyRequest = z
  .object({ options: options<PublicKeyCredentialRequestOptionsJSON>('get') })
  .meta({ id: 'PasskeyRequest' })

const bytes = (max: number) => text(1, max).describe('Base64url.')

/** WebAuthn's own names: the credential is passed on as the browser returns it. */
const credential = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: z.literal('public-key'),
}

export const NewPasskeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(10_000),
    attestationObject: bytes(100_000),
    transports: z.array(text(1, 50)).max(10).optional(),
  }),
})

export const PasskeyAnswer = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(10_000),
    authenticatorData: bytes(10_000),
    signature: bytes(10_000),
    userHandle: bytes(200).nullish(),
  }),
})

export const Passkey = z
  .object({
    passkey_id: id(),
    name: z.string(),
    backed_up: z.boolean().describe('Whether it is synced to other devices.'),
    version: version(),
    created_at: dateTime(),
    last_used_at: dateTime().nullable(),
  })
  .meta({ id: 'Passkey' })
export type Passkey = z.output<typeof Passkey>

const common = { tag: 'Account', errors: 'flat' } as const
const byPeople = { ...common, scope: 'admin', jwt_only: true } as const
const name = () => text(1, 100).trim().min(1).describe('Its name in the list.')

const PASSKEY_SORTS = bothWays(['name', 'created_at', 'last_used_at'])

export const ListPasskeys = contract({
  id: 'listPasskeys',
  method: 'GET',
  path: '/account/passkeys',
  ...common,
  summary: 'List passkeys',
  description: 'Oldest first, unless `sort` sets another order.',
  query: z.object({ sort: sortBy(PASSKEY_SORTS), ...paging }),
  response: listEnvelope(Passkey),
  status: 200,
  scope: 'read',
})

export const StartPasskey = contract({
  id: 'startPasskey',
  method: 'POST',
  path: '/account/passkeys/start',
  ...byPeople,
  summary: 'Start adding a passkey',
  description:
    'Adds nothing yet. Returns the options for the browser to create a passkey; send its response to `/account/passkeys`. 403 `proof_outdated` if the last proof is older than 15 minutes: see `/account/proof`.',
  response: z
    .object({ options: options<PublicKeyCredentialCreationOptionsJSON>('create') })
    .meta({ id: 'NewPasskeyRequest' }),
  status: 200,
  unlogged: true,
})

export const AddPasskey = contract({
  id: 'addPasskey',
  method: 'POST',
  path: '/account/passkeys',
  ...byPeople,
  summary: 'Add a passkey',
  description:
    'Send the browser’s response to `/account/passkeys/start`. The passkey signs in without address and password and counts as both factors, because the device checks a face, fingerprint or PIN. At most 20. 409 `grant_invalid` if the challenge was used or has expired, and `passkey_exists`.',
  body: z.object({ name: name(), answer: NewPasskeyAnswer }),
  response: Passkey,
  status: 201,
  refusals: [409],
})

export const RenamePasskey = contract({
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/account/passkeys/{passkey_id}',
  ...byPeople,
  summary: 'Rename a passkey',
  params: z.object({ passkey_id: pathId() }),
  body: z.object({ name: name(), version: editedVersion() }),
  response: Passkey,
  status: 200,
  refusals: [404, 409],
})

export const RemovePasskey = contract({
  id: 'removePasskey',
  method: 'DELETE',
  path: '/account/passkeys/{passkey_id}',
  ...byPeople,
  summary: 'Remove a passkey',
  description:
    'The passkey can no longer sign in; its open sessions stay. 403 `proof_outdated` if the last proof is older than 15 minutes; 409 `last_way_in` if there is no other way to sign in.',
  params: z.object({ passkey_id: pathId() }),
  response: null,
  status: 204,
  refusals: [404, 409],
  destructive: true,
})
