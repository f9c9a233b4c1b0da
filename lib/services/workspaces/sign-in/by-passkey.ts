import type { z } from 'zod'
import type { PasskeyAnswer } from '#lib/contracts/workspaces/passkeys'
import { db } from '#lib/db/client'
import { networkPlace } from '#lib/domain/text/network-place'
import { giveTokenBack } from '#lib/services/instance/rate-limits'
import { recordFailure } from '#lib/services/workspaces/audit'
import { isShut } from '#lib/services/workspaces/sign-in/demo-account'
import {
  makeChallenge,
  relyingParty,
  useChallenge,
  webAuthn,
} from '#lib/services/workspaces/sign-in/relying-party'
import { takeTry } from '#lib/services/workspaces/sign-in/tries'

/** Wrong answers per minute from one place. */
const TRIES_OF_PLACE = 20

type Answer = z.output<typeof PasskeyAnswer>
type Use = { purpose: 'sign_in' } | { purpose: 'confirm'; user_id: string }

/** The challenge for an authenticator. It names no passkey: the authenticator finds those it has for this site. */
export async function askForPasskey(use: Use, now: Date) {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty().id,
    challenge: makeChallenge(use, now),
    userVerification: 'required',
    timeout: 5 * 60_000,
  })
  return { options }
}

/** The user whose passkey answered, or null. */
export async function signInByPasskey(answer: Answer, place: string, now: Date) {
  const ofPlace = `passkey-place:${networkPlace(place).network}`
  await takeTry(ofPlace, TRIES_OF_PLACE, now)
  const user = await userOfPasskey({ purpose: 'sign_in' }, answer, now)
  if (!user || isShut(user)) return null
  await giveTokenBack(ofPlace)
  return user
}

/** Logs a failure for the account of the named passkey, and returns its user. */
export async function noteFailedPasskey(
  credentialId: string,
  place: string,
  now: Date,
): Promise<string | null> {
  const passkey = await db.passkey.findUnique({ where: { credential_id: credentialId } })
  if (passkey) await recordFailure(passkey.user_id, 'failedSignIn', place, now)
  return passkey?.user_id ?? null
}

/**
 * Verifies an answer and stores what the authenticator reports about itself. Its counter must not decrease, as that of a copied passkey
 * would.
 */
export async function userOfPasskey(use: Use, answer: Answer, now: Date) {
  const passkey = await db.passkey.findUnique({
    where: { credential_id: answer.id },
    include: { user: true },
  })
  if (!passkey || !isHandle(answer.response.userHandle, passkey.user_id)) return null
  const { passkey_id, user, counter } = passkey
  const said = await verify(use, answer, passkey, now)
  if (!said) return null
  const { count } = await db.passkey.updateMany({
    where: { passkey_id, counter },
    data: { counter: said.newCounter, backed_up: said.credentialBackedUp, last_used_at: now },
  })
  return count > 0 ? user : null
}

/** The user handle is the user's id, as given at registration; old security keys omit it. */
const isHandle = (given: string | null | undefined, userId: string) =>
  !given || Buffer.from(given, 'base64url').toString('utf8') === userId

type Kept = { credential_id: string; public_key: Uint8Array; counter: bigint }

async function verify(use: Use, { id, rawId, type, response }: Answer, kept: Kept, now: Date) {
  const { userHandle: _, ...signed } = response
  const { id: expectedRPID, origin } = relyingParty()
  const { verifyAuthenticationResponse } = await webAuthn()
  // The library throws for anything invalid, with messages for developers.
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { id, rawId, type, response: signed, clientExtensionResults: {} },
    expectedChallenge: (challenge) => useChallenge(use, challenge, now),
    expectedOrigin: origin,
    expectedRPID,
    credential: {
      id: kept.credential_id,
      publicKey: Uint8Array.from(kept.public_key),
      counter: Number(kept.counter),
    },
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: null }))
  return verified ? authenticationInfo : null
}
