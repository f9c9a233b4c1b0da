import { pool } from '#lib/db/client'
import { alikeAddresses, formerProfiles } from '#lib/domain/leads/alike-people'
import { profileKey } from '#lib/domain/social/profile-address'
import { type ListedPerson, PERSON } from '#lib/services/leads/people/list'

type Identity = { person_id: string; email: string | null; profile: string | null }

/** Sorts after every address with the same beginning. */
const LAST = '\uffff'

/** SQL: the local part of an address without its tag, and without dots if $2. */
const NAME = `CASE WHEN $2::boolean THEN replace(split_part(split_part(k.email, '@', 1), '+', 1), '.', '')
  ELSE split_part(split_part(k.email, '@', 1), '+', 1) END`

/** People who may be the same as the person with these identities, by profile or by another spelling of an address. Merges nobody. */
export async function alikePeople(
  workspaceId: string,
  identities: readonly Identity[],
  most: number,
): Promise<ListedPerson[]> {
  const ids = new Set<string>()
  for (const person_id of await byProfile(workspaceId, identities)) ids.add(person_id)
  for (const person_id of await byAddress(workspaceId, identities)) ids.add(person_id)
  for (const { person_id } of identities) ids.delete(person_id)
  if (ids.size === 0) return []
  const { rows } = await pool().query<ListedPerson>(
    `SELECT ${PERSON} FROM people p WHERE p.workspace_id = $1 AND p.person_id = ANY ($2::uuid[]) AND p.merged_into_id IS NULL
     ORDER BY p.person_id LIMIT $3`,
    [workspaceId, [...ids], most],
  )
  return rows
}

async function byProfile(workspaceId: string, identities: readonly Identity[]): Promise<string[]> {
  const profiles = identities.flatMap(({ profile }) => {
    if (profile === null) return []
    const at = profile.indexOf(':')
    const now = `${profile.slice(0, at)}:${profileKey(profile.slice(0, at), profile.slice(at + 1))}`
    return [profile, ...formerProfiles(now)]
  })
  if (profiles.length === 0) return []
  const { rows } = await pool().query<{ person_id: string }>(
    `SELECT coalesce(p.merged_into_id, p.person_id) AS person_id FROM people p
     WHERE p.workspace_id = $1 AND p.profile = ANY ($2::text[]) LIMIT 50`,
    [workspaceId, profiles],
  )
  return rows.map(({ person_id }) => person_id)
}

/** Scans the address index over one common beginning only. */
async function byAddress(workspaceId: string, identities: readonly Identity[]): Promise<string[]> {
  const asked = identities.flatMap(({ email }) => (email && alikeAddresses(email)) || [])
  const answers = await Promise.all(
    asked.map(({ name, domains, without_dots, stem }) =>
      pool().query<{ person_id: string }>(
        `SELECT coalesce(p.merged_into_id, p.person_id) AS person_id FROM people p
         WHERE p.workspace_id = $1 AND p.email IN (
           SELECT k.email FROM people k WHERE k.workspace_id = $1 AND k.email >= $5 AND k.email < $6
             AND split_part(k.email, '@', 2) = ANY ($4::text[]) AND ${NAME} = $3 OFFSET 0)
         LIMIT 50`,
        [workspaceId, without_dots, name, domains, stem, stem + LAST],
      ),
    ),
  )
  return answers.flatMap(({ rows }) => rows.map(({ person_id }) => person_id))
}
