import type { StepTemplate } from '#lib/contracts/messages/templates'
import type { Reader } from '#lib/db/client'
import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import type { MessageTemplate } from '#lib/domain/messages/template'

type Owned = { campaign_id: string; workspace_id: string }

const TEXTS = `SELECT template_id, content FROM campaign_texts WHERE campaign_id = $1 AND template_id = ANY ($3)
  UNION ALL
  SELECT t.template_id, t.content FROM usable_templates t WHERE t.workspace_id = $2 AND t.template_id = ANY ($3)
    AND NOT EXISTS (SELECT 1 FROM campaign_texts k WHERE k.campaign_id = $1 AND k.template_id = t.template_id)`

/**
 * The texts of these templates in a campaign: those it was launched with, else (for a draft, or a step being written) the current ones.
 * Everything that shows or sends a campaign's texts reads them here.
 */
export async function campaignTexts(
  reader: Reader,
  { campaign_id, workspace_id }: Owned,
  templateIds: string[],
): Promise<Map<string, MessageTemplate>> {
  if (templateIds.length === 0) return new Map()
  const { rows } = await reader.query<{ template_id: string; content: MessageTemplate }>(
    prepared(TEXTS, [campaign_id, workspace_id, templateIds]),
  )
  return new Map(rows.map(({ template_id, content }) => [template_id, content]))
}

/** Templates with the texts that one campaign uses, for the pages that show its steps. */
export async function asCampaignHas<T extends { template_id: string; content: unknown }>(
  campaign: Owned,
  templates: T[],
): Promise<T[]> {
  const ids = templates.map(({ template_id }) => template_id)
  const texts = await campaignTexts(pool(), campaign, ids)
  return templates.map((one) => ({ ...one, content: texts.get(one.template_id) ?? one.content }))
}

/** Texts that a campaign was launched with but whose templates it can no longer see, such as those of a former parent workspace. */
export async function keptOfGone({ campaign_id, workspace_id }: Owned): Promise<StepTemplate[]> {
  const { rows } = await pool().query<Pick<StepTemplate, 'template_id' | 'content'>>(
    `SELECT k.template_id, k.content FROM campaign_texts k WHERE k.campaign_id = $1 AND k.workspace_id = $2
       AND NOT EXISTS (SELECT 1 FROM usable_templates t WHERE t.workspace_id = $2 AND t.template_id = k.template_id)
     ORDER BY k.template_id`,
    [campaign_id, workspace_id],
  )
  return rows.map((row) => ({ ...row, name: 'Text of the launch', inherited_from: null, is_gone: true }))
}
