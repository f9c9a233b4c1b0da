import { db } from '#lib/db/client'
import { storableJson } from '#lib/db/json'
import { AppError } from '#lib/errors'
import { domainChecks, domainKeys, domainRow, shownDomain } from '#lib/services/domains/row'
import { newKey } from '#lib/services/instance/dkim-key'

/** Creates a second key; the first signs until the record of the second is found. */
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
    // The key's record was never published, so nothing was signed with it.
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
        ...(isUnused && { checks: storableJson(others) }),
      },
      include: { keys: true },
    })
  })
  return shownDomain(row)
}
