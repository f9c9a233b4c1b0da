import type { z } from 'zod'
import {
  type AddPasskey,
  type ListPasskeys,
  Passkey,
  type RenamePasskey,
} from '#lib/contracts/workspaces/passkeys'
import { db } from '#lib/db/client'
import type { PasskeyModel } from '#lib/db/generated/models'
import { rowsOfPage } from '#lib/db/page'
import { type Orders, sortedPage } from '#lib/domain/text/row-order'
import { AppError, invalid } from '#lib/errors'
import { edit } from '#lib/services/instance/versioned-edit'
import { type Prover, requireRecentProof } from '#lib/services/workspaces/sign-in/recent-proof'
import {
  makeChallenge,
  relyingParty,
  useChallenge,
  webAuthn,
} from '#lib/services/workspaces/sign-in/relying-party'
import { removeSignInMethod } from '#lib/services/workspaces/sign-in/sign-in-methods'

const MOST = 20
/** EdDSA, ES256 and RS256: the algorithms that devices support. */
const ALGORITHMS = [-8, -7, -257]

const ORDERS: Orders<PasskeyModel> = {
  name: ({ name }) => name,
  created_at: ({ created_at }) => created_at,
  last_used_at: ({ last_used_at }) => last_used_at,
}

export async function listPasskeys(userId: string, { sort, ...page }: z.output<typeof ListPasskeys.query>) {
  const where = { user_id: userId }
  const [rows, total] = await Promise.all([
    db.passkey.findMany({
      where,
      orderBy: [{ created_at: 'asc' }, { passkey_id: 'asc' }],
      ...(sort ? {} : rowsOfPage(page)),
    }),
    db.passkey.count({ where }),
  ])
  return { items: sortedPage(rows, ORDERS, { sort, ...page }), total, ...page }
}

/** The options for creating a passkey. The account's existing ones are listed, so that no device creates a second one. */
export async function startPasskey(who: Prover & { email: string; name: string }, now: Date) {
  await requireRecentProof(who, now)
  const { user_id, email, name } = who
  const passkeys = await db.passkey.findMany({ where: { user_id } })
  refuseMoreThanMost(passkeys.length)
  const { id: rpID, name: rpName } = relyingParty()
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpID,
    rpName,
    userID: Uint8Array.from(Buffer.from(user_id)),
    userName: email,
    userDisplayName: name,
    challenge: makeChallenge({ purpose: 'add', user_id }, now),
    timeout: 5 * 60_000,
    excludeCredentials: passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { options }
}

function refuseMoreThanMost(count: number): void {
  if (count >= MOST)
    throw new AppError('invalid_state', {
      message: `You have ${MOST} passkeys, the maximum. Remove one first.`,
    })
}

type Fields = z.output<typeof AddPasskey.body>

/** Stores a new passkey. Its challenge was issued to this user after a recent proof and lasts five minutes, so it counts as the proof. */
export async function addPasskey(userId: string, { name, answer }: Fields, now: Date) {
  const made = await verify(userId, answer, now)
  const { credential, credentialBackedUp, credentialDeviceType } = made
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT user_id FROM users WHERE user_id = ${userId}::uuid FOR UPDATE`
    refuseMoreThanMost(await tx.passkey.count({ where: { user_id: userId } }))
    const [row] = await tx.passkey.createManyAndReturn({
      data: {
        user_id: userId,
        name,
        credential_id: credential.id,
        public_key: credential.publicKey,
        counter: credential.counter,
        transports: answer.response.transports ?? [],
        backup_eligible: credentialDeviceType === 'multiDevice',
        backed_up: credentialBackedUp,
        created_at: now,
      },
      skipDuplicates: true,
    })
    if (!row) throw new AppError('passkey_exists')
    return row
  })
}

/**
 * Whether the attestation has no certificates, as requested. Certificates contain URLs of revocation lists, which the library would fetch
 * before it knows whose certificates they are.
 */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
    const format = attestation.get('fmt')
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

async function verify(userId: string, { id, rawId, type, response }: Fields['answer'], now: Date) {
  const { clientDataJSON, attestationObject } = response
  if (!(await isWithoutCertificates(attestationObject)))
    throw invalid(['body', 'answer'], 'is not a valid browser response for this site')
  const { id: expectedRPID, origin } = relyingParty()
  const { verifyRegistrationResponse } = await webAuthn()
  let isOurs = true
  // The library throws for anything invalid, with messages for developers.
  const checked = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: async (challenge) => {
      isOurs = await useChallenge({ purpose: 'add', user_id: userId }, challenge, now)
      return isOurs
    },
    expectedOrigin: origin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null)
  if (!isOurs) throw new AppError('grant_invalid')
  if (!checked?.verified) throw invalid(['body', 'answer'], 'is not a valid browser response for this site')
  return checked.registrationInfo
}

export async function renamePasskey(
  userId: string,
  passkeyId: string,
  { name, version }: z.output<typeof RenamePasskey.body>,
) {
  const where = { user_id: userId, passkey_id: passkeyId }
  return edit({
    table: 'passkeys',
    key: where,
    version,
    missing: 'passkey_not_found',
    current: async () => Passkey.parse(await db.passkey.findFirstOrThrow({ where })),
    write: (tx) => tx.passkey.update({ where, data: { name } }),
  })
}

export async function removePasskey(who: Prover, passkeyId: string, now: Date): Promise<void> {
  const { user_id } = who
  const where = { user_id, passkey_id: passkeyId }
  if (!(await db.passkey.findFirst({ where }))) throw new AppError('passkey_not_found')
  await requireRecentProof(who, now)
  await db.$transaction((tx) => removeSignInMethod(tx, user_id, () => tx.passkey.deleteMany({ where })))
}
