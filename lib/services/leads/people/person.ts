import type { z } from 'zod'
import { Consent } from '#lib/contracts/leads/forms'
import { MAX_ALIKE, MAX_CONSENTS, MAX_PERSON_LEADS, type UpdatePerson } from '#lib/contracts/leads/people'
import { db, pool } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { AppError } from '#lib/errors'
import { edit } from '#lib/services/instance/versioned-edit'
import { alikePeople } from '#lib/services/leads/people/alike'
import { type ListedPerson, PERSON } from '#lib/services/leads/people/list'
import { personTouches } from '#lib/services/leads/people/touches'

/** The person with this id, or the one they were merged into. */
async function loadPerson(workspaceId: string, personId: string): Promise<ListedPerson> {
  const { rows } = await pool().query<ListedPerson>(
    `SELECT ${PERSON} FROM people p WHERE p.workspace_id = $1 AND p.person_id = (
       SELECT coalesce(asked.merged_into_id, asked.person_id) FROM people asked
       WHERE asked.workspace_id = $1 AND asked.person_id = $2)`,
    [workspaceId, personId],
  )
  if (!rows[0]) throw new AppError('person_not_found')
  return rows[0]
}

/** A person with their whole history with the workspace. */
export async function readPerson(workspaceId: string, personId: string) {
  const person = await loadPerson(workspaceId, personId)
  const { person_id } = person
  const known = await db.person.findMany({
    where: { workspace_id: workspaceId, OR: [{ person_id }, { merged_into_id: person_id }] },
    select: { person_id: true, email: true, profile: true, telephone: true },
    orderBy: { person_id: 'asc' },
  })
  const isOwn = (one: { person_id: string }) => one.person_id === person_id
  const identities = [...known.filter(isOwn), ...known.filter((one) => !isOwn(one))]
  const ids = identities.map((identity) => identity.person_id)
  const emails = identities.flatMap(({ email }) => email ?? [])
  const [alike, leads, touches, consents] = await Promise.all([
    alikePeople(workspaceId, identities, MAX_ALIKE),
    db.campaignLead.findMany({
      where: { workspace_id: workspaceId, person_id: { in: ids } },
      select: {
        campaign_lead_id: true,
        campaign_id: true,
        status: true,
        created_at: true,
        campaign: { select: { name: true, user: { select: { name: true, email: true } } } },
      },
      orderBy: [{ created_at: 'desc' }, { campaign_lead_id: 'desc' }],
      take: MAX_PERSON_LEADS,
    }),
    personTouches(workspaceId, ids),
    loadConsents(workspaceId, emails),
  ])
  return {
    ...person,
    identities,
    alike,
    leads: leads.map(({ campaign: { name, user }, ...lead }) => ({
      ...lead,
      campaign_name: name,
      owner_name: user.name || user.email,
    })),
    touches,
    consents,
  }
}

/** The consents confirmed through forms from these addresses, newest first. */
async function loadConsents(workspace_id: string, emails: string[]): Promise<Consent[]> {
  const rows = await db.formEntry.findMany({
    where: { workspace_id, email: { in: emails }, confirmed_at: { not: null } },
    orderBy: [{ confirmed_at: 'desc' }, { form_entry_id: 'desc' }],
    take: MAX_CONSENTS,
  })
  return rows.map((row) => Consent.parse(row))
}

/** After a correction by hand, lists no longer update the person; a tag is not a correction. */
export async function updatePerson(
  workspaceId: string,
  personId: string,
  { version, tags, ...told }: z.output<typeof UpdatePerson.body>,
  now: Date,
) {
  const { person_id } = await loadPerson(workspaceId, personId)
  const { company_id } = told
  const key = { person_id, workspace_id: workspaceId }
  const where = { person_id, workspace_id: workspaceId }
  await edit({
    table: 'people',
    key,
    version,
    missing: 'person_not_found',
    current: () => loadPerson(workspaceId, person_id),
    write: async (tx) => {
      const company = { company_id: company_id ?? '', workspace_id: workspaceId }
      if (company_id && (await tx.company.count({ where: company })) === 0)
        throw new AppError('company_not_found')
      if (company_id !== undefined) await wakeColleagues(tx, where)
      const isTold = Object.values(told).some((value) => value !== undefined)
      await tx.person.updateMany({
        where,
        data: {
          ...told,
          ...(tags && { tags: [...new Set(tags)] }),
          ...(isTold && { edited_at: now }),
        },
      })
    },
  })
  return loadPerson(workspaceId, person_id)
}

/** A person moved to another company: the old and the new one may now have room for waiting leads. */
const wakeColleagues = (
  tx: Prisma.TransactionClient,
  { workspace_id, person_id }: { workspace_id: string; person_id: string },
) => tx.$executeRaw`
  INSERT INTO contact_wakes (workspace_id, person_id)
  SELECT p.workspace_id, w.person_id FROM people p CROSS JOIN LATERAL (SELECT p.person_id UNION ALL (
    SELECT o.person_id FROM people o
    WHERE o.workspace_id = p.workspace_id AND o.company_id = p.company_id AND o.person_id <> p.person_id LIMIT 1)) w
  WHERE p.workspace_id = ${workspace_id}::uuid AND p.person_id = ${person_id}::uuid`
