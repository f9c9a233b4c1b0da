import type { z } from 'zod'
import { MAX_TAGS, type TagPeople } from '#lib/contracts/leads/people'
import { db, pool } from '#lib/db/client'
import { listedNames } from '#lib/domain/leads/listed-names'
import { addSuppressions } from '#lib/services/leads/suppressions'

/**
 * In a single statement, so that two concurrent changes of tags both count. A tag is not a correction: lists
 * still update the person.
 */
export async function tagPeople(
  workspaceId: string,
  { person_ids, add_tags, remove_tags }: z.output<typeof TagPeople.body>,
): Promise<{ changed: string[] }> {
  const { rows } = await pool().query<{ person_id: string }>(
    `WITH asked AS (
       SELECT p.person_id, t.tags FROM people p, LATERAL (
         SELECT coalesce(array_agg(tag ORDER BY place), '{}') AS tags FROM (
           SELECT tag, min(place) AS place FROM unnest(p.tags || $3::text[]) WITH ORDINALITY u (tag, place)
           WHERE tag <> ALL ($4::text[]) GROUP BY tag) one) t
       WHERE p.workspace_id = $1 AND p.person_id = ANY ($2::uuid[]) AND p.merged_into_id IS NULL
       ORDER BY p.person_id FOR UPDATE OF p)
     UPDATE people p SET tags = asked.tags, version = p.version + 1, updated_at = now() FROM asked
     WHERE p.workspace_id = $1 AND p.person_id = asked.person_id AND p.tags <> asked.tags AND cardinality(asked.tags) <= $5
     RETURNING p.person_id`,
    [workspaceId, person_ids, add_tags, remove_tags, MAX_TAGS],
  )
  return { changed: rows.map(({ person_id }) => person_id) }
}

/**
 * Suppresses people by their address, or else by profile and telephone number, which ends their leads in
 * every campaign.
 */
export async function suppressPeople(workspaceId: string, personIds: string[], now: Date) {
  const ids = { in: personIds }
  const people = await db.person.findMany({
    where: { workspace_id: workspaceId, OR: [{ person_id: ids }, { merged_into_id: ids }] },
    select: { email: true, profile: true, phone: true, telephone: true, country: true },
  })
  const values = new Set(people.flatMap(listNames))
  const none = { added: 0, already_listed: 0, leads_ended: 0 }
  if (values.size === 0) return none
  return addSuppressions(workspaceId, { values: [...values], reason: 'manual' }, now)
}

type Known = {
  email: string | null
  profile: string | null
  phone: string | null
  telephone: string | null
  country: string | null
}

function listNames({ email, telephone, ...named }: Known): string[] {
  if (email) return [email]
  return [...listedNames({ data: {}, ...named }), ...(telephone ? [telephone] : [])]
}
