import type { z } from 'zod'
import type { MergePeople } from '#lib/contracts/leads/people'
import { db } from '#lib/db/client'
import { Prisma } from '#lib/db/generated/client'
import type { PersonModel } from '#lib/db/generated/models'
import { AppError } from '#lib/errors'
import { readPerson } from '#lib/services/leads/people/person'
import { toNumber } from '#lib/services/leads/people/telephones'

type Tx = Prisma.TransactionClient

/**
 * Locks the surviving people first, by id, and the merged ones after them, so that two changes to the same
 * people wait for each other without deadlocking.
 */
const lockPeople = (tx: Tx, workspaceId: string, ids: string[]) => tx.$queryRaw<{ person_id: string }[]>`
  SELECT person_id FROM people
  WHERE workspace_id = ${workspaceId}::uuid AND person_id = ANY (${ids}::uuid[]) AND merged_into_id IS NULL
  ORDER BY person_id FOR UPDATE`

/** Moves leads to another person, locking them by id as well. */
const moveLeads = (tx: Tx, workspaceId: string, whose: Prisma.Sql, personId: string) => tx.$executeRaw`
  UPDATE campaign_leads l SET person_id = ${personId}::uuid
  FROM (SELECT l.campaign_lead_id FROM campaign_leads l WHERE l.workspace_id = ${workspaceId}::uuid AND ${whose}
    ORDER BY l.campaign_lead_id FOR NO KEY UPDATE) moved
  WHERE l.workspace_id = ${workspaceId}::uuid AND l.campaign_lead_id = moved.campaign_lead_id`

/**
 * A merged person keeps their row with address and profile, so that later lists find it and, through it, the
 * surviving person.
 */
export async function mergePeople(workspaceId: string, { into, from }: z.output<typeof MergePeople.body>) {
  const where = { workspace_id: workspaceId, person_id: { in: [into, from] } }
  const people = await db.person.findMany({ where })
  const merged = people.find(({ person_id }) => person_id === from)
  if (!merged || !people.some(({ person_id }) => person_id === into)) throw new AppError('person_not_found')
  if (into === from || merged.merged_into_id === into) throw new AppError('same_person')
  await db.$transaction(async (tx) => {
    // A person who is already merged cannot be merged again by their own id, which no longer names a person.
    if ((await lockPeople(tx, workspaceId, [into, from])).length < 2) throw new AppError('conflict')
    await tx.person.updateMany({
      where: { workspace_id: workspaceId, OR: [{ person_id: from }, { merged_into_id: from }] },
      data: { merged_into_id: into },
    })
    await moveLeads(tx, workspaceId, Prisma.sql`l.person_id = ${from}::uuid`, into)
  })
  return readPerson(workspaceId, into)
}

/**
 * Each part gets back the leads that name it: by address; without one, by profile; without either, by
 * telephone number.
 */
export async function splitPerson(workspaceId: string, personId: string, parts: string[]) {
  await db.$transaction(async (tx) => {
    if ((await lockPeople(tx, workspaceId, [personId])).length === 0) throw new AppError('person_not_found')
    const where = { workspace_id: workspaceId, merged_into_id: personId, person_id: { in: parts } }
    const people = await tx.person.findMany({ where, orderBy: { person_id: 'asc' } })
    if (people.length !== new Set(parts).size) throw new AppError('not_merged')
    await tx.person.updateMany({ where, data: { merged_into_id: null } })
    const into = await tx.person.findFirst({ where: { workspace_id: workspaceId, person_id: personId } })
    const kept = into ? readTelephones(into) : []
    for (const part of people) {
      await moveLeads(tx, workspaceId, namedBy(personId, part), part.person_id)
      const numbers = readTelephones(part).filter((number) => !kept.includes(number))
      const ids = await leadsByTelephone(tx, workspaceId, personId, numbers)
      if (ids.length > 0)
        await moveLeads(
          tx,
          workspaceId,
          Prisma.sql`l.campaign_lead_id = ANY (${ids}::uuid[])`,
          part.person_id,
        )
      // The person whom its leads waited for may be a different one now.
      await tx.contactWake.create({ data: { workspace_id: workspaceId, person_id: part.person_id } })
    }
  })
  return readPerson(workspaceId, personId)
}

const readTelephones = ({ telephone, phone, country }: PersonModel): string[] =>
  [telephone, phone && toNumber({ phone, country })].filter((number) => typeof number === 'string')

/** Leads of a person whose rows have nothing but one of these telephone numbers. */
async function leadsByTelephone(tx: Tx, workspaceId: string, personId: string, numbers: string[]) {
  if (numbers.length === 0) return []
  const rows = await tx.$queryRaw<{ campaign_lead_id: string; phone: string; country: string | null }[]>`
    SELECT l.campaign_lead_id, d.phone, r.data ->> 'country' AS country
    FROM campaign_leads l JOIN dataset_rows r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
    CROSS JOIN LATERAL (VALUES (r.data ->> 'whatsapp'), (r.data ->> 'phone')) d (phone)
    WHERE l.workspace_id = ${workspaceId}::uuid AND l.person_id = ${personId}::uuid AND l.email IS NULL
      AND d.phone IS NOT NULL`
  const ids = rows.filter((row) => numbers.includes(toNumber(row) ?? '')).map((row) => row.campaign_lead_id)
  return [...new Set(ids)]
}

/** A person's profile is stored as network, colon and profile key; leads keep the spelling of their list. */
const namedBy = (personId: string, { email, profile }: { email: string | null; profile: string | null }) =>
  Prisma.sql`l.person_id = ${personId}::uuid AND (l.email = ${email} OR (l.email IS NULL AND ${email}::text IS NULL
    AND profile_key(split_part(${profile}::text, ':', 1), l.social_profile)
      = profile_key(split_part(${profile}::text, ':', 1), substr(${profile}::text, strpos(${profile}::text, ':') + 1))))`
