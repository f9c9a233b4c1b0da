import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { db } from '#lib/db/client'
import { holdable } from '#lib/db/json'
import { seal } from '#lib/db/seal'
import { AppError } from '#lib/errors'
import { domainChecks, domainKeys, domainRow, shownDomain } from '#lib/services/domains/row'

const generate = promisify(generateKeyPair)

/** RFC 8301: 2048 bits are what every receiver takes; longer keys do not fit everywhere. The date tells people their age. */
export async function newKey(now: Date) {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const date = now.toISOString().slice(0, 10).replaceAll('-', '')
  return {
    selector: `opn${date}${randomBytes(2).toString('hex')}`,
    public_key: publicKey.toString('base64'),
    private_key: seal(privateKey),
  }
}

/** A second key beside the first, which goes on signing until the record of the second is found. */
export async function rotateKey(workspaceId: string, domainId: string, now: Date) {
  await domainRow(workspaceId, domainId)
  const made = await newKey(now)
  const row = await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM mail_domains WHERE domain_id = ${domainId}::uuid FOR NO KEY UPDATE`
    const before = await tx.mailDomain.findFirst({
      where: { domain_id: domainId, workspace_id: workspaceId },
      include: { keys: true },
    })
    if (!before) throw new AppError('domain_not_found')
    const { key, next_key } = domainKeys(before)
    if (next_key) throw new AppError('rotation_under_way')
    // Nobody has ever published it, so nothing was signed with it.
    const isUnused = key.found_at === null && domainChecks(before).dkim?.status !== 'found'
    if (isUnused) await tx.domainKey.delete({ where: { key_id: key.key_id } })
    await tx.domainKey.create({
      data: { ...made, domain_id: domainId, state: isUnused ? 'signing' : 'waiting' },
    })
    const { dkim, ...others } = domainChecks(before)
    return tx.mailDomain.update({
      where: { domain_id: domainId },
      data: {
        looked_for_since: now,
        next_check_at: now,
        ...(isUnused && { checks: holdable(others) }),
      },
      include: { keys: true },
    })
  })
  return shownDomain(row)
}
