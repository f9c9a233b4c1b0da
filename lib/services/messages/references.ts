import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { db } from '#lib/db/client'
import { type FieldProblem, ValidationError } from '#lib/errors'

/** True while a campaign that may still send names this template or profile in one of its variants. */
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

/** How many campaigns name each of these templates, whatever their state. */
export async function templateUses(workspaceId: string, templateIds: string[]): Promise<Map<string, number>> {
  if (templateIds.length === 0) return new Map()
  const rows = await db.$queryRaw<{ template_id: string; used: number }[]>`
    SELECT variant ->> 'template_id' AS template_id, count(DISTINCT c.campaign_id)::int AS used
    FROM campaigns c, jsonb_array_elements(c.steps_config) step, jsonb_array_elements(step -> 'variants') variant
    WHERE c.workspace_id = ${workspaceId}::uuid AND variant ->> 'template_id' = ANY (${templateIds})
    GROUP BY 1`
  return new Map(rows.map(({ template_id, used }) => [template_id, used]))
}

/** How many campaigns beyond their draft name each of these profiles, and how many runs were made with it. */
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

/** Whatever a campaign names must be its owner's own; a foreign id reads the same as one that does not exist. */
export async function checkReferences(workspaceId: string, fields: References): Promise<void> {
  const variants = (fields.steps_config ?? []).flatMap((step, index) =>
    step.variants.map((variant, place) => ({
      ...variant,
      loc: ['steps_config', `${index}`, 'variants', `${place}`],
    })),
  )
  const ids = (key: 'template_id' | 'sender_profile_id') => variants.flatMap((variant) => variant[key] ?? [])
  const owned = { workspace_id: workspaceId }
  const [dataset, templates, profiles, mailboxes, account] = await Promise.all([
    fields.dataset_id ? db.dataset.count({ where: { dataset_id: fields.dataset_id, ...owned } }) : 1,
    db.template.findMany({
      where: { template_id: { in: ids('template_id') }, ...owned },
      select: { template_id: true },
    }),
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
    ...templates.map((row) => row.template_id),
    ...profiles.map((row) => row.id),
    ...mailboxes.map((row) => row.mailbox_id),
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
