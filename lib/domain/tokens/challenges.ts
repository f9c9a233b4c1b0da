import { readSignedToken, signedToken, uuidBytes, uuidText } from '#lib/domain/tokens/signed-token'

const LIFETIME_MS = 5 * 60_000
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The purpose of a passkey challenge. A sign-in challenge belongs to no user yet. */
export type ChallengeUse =
  | { purpose: 'add' | 'confirm'; user_id: string }
  | { purpose: 'sign_in'; user_id?: undefined }

const VERSIONS = { add: 'pa', confirm: 'pc', sign_in: 'ps' } as const

/** `id` is random and identifies the challenge once it is used. Valid for five minutes. */
export function newChallenge(
  { purpose, user_id }: ChallengeUse,
  id: string,
  now: Date,
  key: Uint8Array,
): string {
  const until = Buffer.alloc(6)
  until.writeUIntBE(now.getTime() + LIFETIME_MS, 0, 6)
  const ids = [id, user_id ?? NOBODY].map((one) => uuidBytes(one) ?? Buffer.alloc(16))
  return signedToken(VERSIONS[purpose], Buffer.concat([...ids, until]), key)
}

/** Null for a challenge that is not ours, has another purpose or user, or has expired. */
export function readChallenge(
  challenge: string,
  { purpose, user_id }: ChallengeUse,
  now: Date,
  key: Uint8Array,
) {
  const payload = readSignedToken(VERSIONS[purpose], challenge, key)
  if (payload?.length !== 38) return null
  const expires_at = new Date(payload.readUIntBE(32, 6))
  if (expires_at <= now || uuidText(payload.subarray(16, 32)) !== (user_id ?? NOBODY)) return null
  return { id: uuidText(payload.subarray(0, 16)), expires_at }
}
