import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, text } from '#lib/contracts/fields'
import { PasskeyAnswer, PasskeyRequest } from '#lib/contracts/workspaces/passkeys'

const common = { tag: 'Account', errors: 'flat', status: 200, scope: 'admin', jwt_only: true } as const

/** How a signed-in user proves their identity again. */
export const Proof = z.union([
  z.object({ password: text(1, 1_000) }),
  z.object({ code: text(1, 100).describe('Code of the authenticator app, or a recovery code.') }),
  z.object({ passkey: PasskeyAnswer.describe('The browser’s response to `/account/proof/start`.') }),
])

export const StartProof = contract({
  id: 'startProof',
  method: 'POST',
  path: '/account/proof/start',
  ...common,
  summary: 'Start a proof by passkey',
  response: PasskeyRequest,
  unlogged: true,
})

export const ProveIdentity = contract({
  id: 'proveIdentity',
  method: 'POST',
  path: '/account/proof',
  ...common,
  summary: 'Confirm your identity again',
  description:
    'For 15 minutes after a proof or a sign-in, this session can change how you sign in. Prove it with the password, a code or a passkey; at most five wrong tries a minute. A JWT without a session ages from when it was issued and cannot be renewed here: 409. 422: the proof is wrong.',
  body: Proof,
  response: z.object({ good_until: dateTime() }).meta({ id: 'ProofOfIdentity' }),
  refusals: [409],
})
