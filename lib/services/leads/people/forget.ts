import type { Statements } from '#lib/db/statements'

/** The people named by rows of these datasets, each with the people merged with them. */
export async function peopleOfDatasets(
  client: Statements,
  workspaceId: string,
  datasetIds: string[],
): Promise<string[]> {
  const { rows } = await client.query<{ person_id: string }>(
    `SELECT DISTINCT p.person_id FROM dataset_rows r JOIN people p ON p.workspace_id = $1 AND p.email = r.email
     WHERE r.workspace_id = $1 AND r.dataset_id = ANY ($2::uuid[])`,
    [workspaceId, datasetIds],
  )
  return rows.map(({ person_id }) => person_id)
}

/**
 * Deletes those of these people about whom nothing else is known: no dataset or campaign has them, nobody
 * corrected or tagged them, and nobody was merged into them. A company is deleted with its last person.
 */
export async function forgetPeople(
  client: Statements,
  workspaceId: string,
  personIds: string[],
): Promise<void> {
  const { rows } = await client.query<{ company_id: string | null }>(
    `DELETE FROM people p WHERE p.workspace_id = $1 AND p.person_id = ANY ($2::uuid[])
       AND p.edited_at IS NULL AND p.tags = '{}' AND p.merged_into_id IS NULL
       AND NOT EXISTS (SELECT 1 FROM people m WHERE m.workspace_id = $1 AND m.merged_into_id = p.person_id)
       AND NOT EXISTS (SELECT 1 FROM campaign_leads l WHERE l.workspace_id = $1 AND l.person_id = p.person_id)
       AND NOT EXISTS (SELECT 1 FROM dataset_rows r JOIN datasets d USING (dataset_id)
         WHERE d.workspace_id = $1 AND r.email = p.email)
     RETURNING p.company_id`,
    [workspaceId, personIds],
  )
  await client.query(
    `DELETE FROM companies c WHERE c.workspace_id = $1 AND c.company_id = ANY ($2::uuid[]) AND c.version = 1
       AND NOT EXISTS (SELECT 1 FROM people p WHERE p.workspace_id = $1 AND p.company_id = c.company_id)`,
    [workspaceId, rows.flatMap(({ company_id }) => company_id ?? [])],
  )
}
