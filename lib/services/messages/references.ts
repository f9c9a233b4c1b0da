import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { db, pool } from '#lib/db/client'
import { type FieldProblem, ValidationError } from '#lib/errors'

/** SQL: whether campaign `c` references this template or profile in a variant of a step. */
export const namesSql = (key: 'template_id' | 'sender_profile_id', id: string) =>
  `c.steps_config @> jsonb_build_array(jsonb_build_object('variants', jsonb_build_array(jsonb_build_object('${key}', ${id}))))`

/** Whether a campaign that may still send references this template or profile in one of its variants. */
export async function campaignNaming(
  workspaceId: string,
  key: 'template_id' | 'sender_profile_id',
  id: string,
): Promise<boolean> {
  const named = JSON.stringify([{ variants: [{ [key]: id }] }])
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM campaigns
    WHERE workspace_id = ${workspaceId}::uuid AND status NOT IN ('draft', 'completed', 'failed')
      AND steps_config @> ${named}::jsonb
    LIMIT 1`
  return rows.length > 0
}

/** The same for campaigns of child workspaces, for a template that is shared with them. */
export async function campaignOfChildNaming(workspaceId: string, templateId: string): Promise<boolean> {
  const named = JSON.stringify([{ variants: [{ template_id: templateId }] }])
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM workspaces child JOIN campaigns c ON c.workspace_id = child.workspace_id
    WHERE child.parent_workspace_id = ${workspaceId}::uuid AND c.status NOT IN ('draft', 'completed', 'failed')
      AND c.steps_config @> ${named}::jsonb
    LIMIT 1`
  return rows.length > 0
}

/** How many campaigns of children use this template; null if the workspace has no children to share with. */
export async function sharingWithChildren(workspaceId: string, templateId: string | null = null) {
  const named = JSON.stringify([{ variants: [{ template_id: templateId }] }])
  const rows = await db.$queryRaw<{ used: number }[]>`
    SELECT count(c.campaign_id)::int AS used FROM workspaces child
    LEFT JOIN campaigns c ON c.workspace_id = child.workspace_id AND c.steps_config @> ${named}::jsonb
    WHERE child.parent_workspace_id = ${workspaceId}::uuid HAVING count(*) > 0`
  return rows[0] ? { used_by_children: templateId ? rows[0].used : 0 } : null
}

/** How many campaigns reference each of these templates, in any status, including campaigns of children. */
export async function templateUses(workspaceId: string, templateIds: string[]): Promise<Map<string, number>> {
  if (templateIds.length === 0) return new Map()
  const rows = await db.$queryRaw<{ template_id: string; used: number }[]>`
    SELECT variant ->> 'template_id' AS template_id, count(DISTINCT c.campaign_id)::int AS used FROM (
      SELECT campaign_id, steps_config FROM campaigns WHERE workspace_id = ${workspaceId}::uuid
      UNION ALL
      SELECT c.campaign_id, c.steps_config FROM workspaces child JOIN campaigns c ON c.workspace_id = child.workspace_id
      WHERE child.parent_workspace_id = ${workspaceId}::uuid) c,
      jsonb_array_elements(c.steps_config) step, jsonb_array_elements(step -> 'variants') variant
    WHERE variant ->> 'template_id' = ANY (${templateIds})
    GROUP BY 1`
  return new Map(rows.map(({ template_id, used }) => [template_id, used]))
}

/** Those of these templates that are the workspace's own or shared by its parent. */
export async function usableTemplates(workspaceId: string, templateIds: string[]) {
  if (templateIds.length === 0) return []
  const { rows } = await pool().query<{ template_id: string; name: string }>(
    'SELECT template_id, name FROM usable_templates WHERE workspace_id = $1 AND template_id = ANY ($2::uuid[])',
    [workspaceId, templateIds],
  )
  return rows
}

/** The names of all usable templates, sorted. */
export async function templateNames(workspaceId: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await pool().query<{ id: string; name: string }>(
    'SELECT template_id AS id, name FROM usable_templates WHERE workspace_id = $1 ORDER BY lower(name), template_id LIMIT 500',
    [workspaceId],
  )
  return rows
}

/** Templates whose text a launched campaign has stored, even if the template is gone. */
async function keptTemplates(workspaceId: string, campaignId: string | undefined) {
  if (!campaignId) return []
  return db.campaignText.findMany({
    where: { workspace_id: workspaceId, campaign_id: campaignId },
    select: { template_id: true },
  })
}

/** How many campaigns past draft reference each of these profiles, plus how many runs were made with it. */
export async function profileUses(workspaceId: string, profileIds: string[]): Promise<Map<string, number>> {
  if (profileIds.length === 0) return new Map()
  const rows = await db.$queryRaw<{ id: string; used: number }[]>`
    SELECT used.id, count(*)::int AS used FROM (
      SELECT DISTINCT variant ->> 'sender_profile_id' AS id, c.campaign_id AS of
      FROM campaigns c, jsonb_array_elements(c.steps_config) step, jsonb_array_elements(step -> 'variants') variant
      WHERE c.workspace_id = ${workspaceId}::uuid AND c.status <> 'draft'
        AND variant ->> 'sender_profile_id' = ANY (${profileIds})
      UNION ALL
      SELECT sender_profile_id::text, run_id FROM personalization_runs
      WHERE workspace_id = ${workspaceId}::uuid AND sender_profile_id = ANY (${profileIds}::uuid[])) used
    GROUP BY used.id`
  return new Map(rows.map(({ id, used }) => [id, used]))
}

type References = {
  dataset_id?: string | undefined
  steps_config?: StepConfig[] | undefined
  alias_ids?: string[] | null | undefined
  connected_account_id?: string | null | undefined
}

const missing = (loc: string[], what: string): FieldProblem => ({
  loc: ['body', ...loc],
  msg: `${what} does not exist`,
  type: 'unknown_reference',
})

/**
 * Everything that a campaign references must belong to its workspace, or be a template shared by the parent; a foreign id gets the same
 * error as one that does not exist. A `saved` campaign may keep templates whose text it has stored, and mailboxes that were deleted since.
 */
export async function checkReferences(
  workspaceId: string,
  fields: References,
  saved?: { campaign_id: string; alias_ids: string[] | null },
): Promise<void> {
  const variants = (fields.steps_config ?? []).flatMap((step, index) =>
    step.variants.map((variant, place) => ({
      ...variant,
      loc: ['steps_config', `${index}`, 'variants', `${place}`],
    })),
  )
  const ids = (key: 'template_id' | 'sender_profile_id') => variants.flatMap((variant) => variant[key] ?? [])
  const owned = { workspace_id: workspaceId }
  const [dataset, templates, kept, profiles, mailboxes, account] = await Promise.all([
    fields.dataset_id ? db.dataset.count({ where: { dataset_id: fields.dataset_id, ...owned } }) : 1,
    usableTemplates(workspaceId, ids('template_id')),
    keptTemplates(workspaceId, saved?.campaign_id),
    db.senderProfile.findMany({
      where: { id: { in: ids('sender_profile_id') }, ...owned },
      select: { id: true },
    }),
    db.mailbox.findMany({
      where: { mailbox_id: { in: fields.alias_ids ?? [] }, ...owned },
      select: { mailbox_id: true },
    }),
    fields.connected_account_id
      ? db.connectedAccount.count({ where: { account_id: fields.connected_account_id, ...owned } })
      : 1,
  ])
  const known = new Set([
    ...[...templates, ...kept].map((row) => row.template_id),
    ...profiles.map((row) => row.id),
    ...mailboxes.map((row) => row.mailbox_id),
    ...(saved?.alias_ids ?? []),
  ])
  const problems = [
    ...(dataset === 0 ? [missing(['dataset_id'], 'the dataset')] : []),
    ...variants.flatMap(({ template_id, sender_profile_id, loc }) => [
      ...(template_id && !known.has(template_id) ? [missing([...loc, 'template_id'], 'the template')] : []),
      ...(sender_profile_id && !known.has(sender_profile_id)
        ? [missing([...loc, 'sender_profile_id'], 'the sender profile')]
        : []),
    ]),
    ...(fields.alias_ids ?? []).flatMap((id, index) =>
      known.has(id) ? [] : [missing(['alias_ids', `${index}`], 'the mailbox')],
    ),
    ...(account === 0 ? [missing(['connected_account_id'], 'the account')] : []),
  ]
  if (problems.length > 0) throw new ValidationError(problems)
}
