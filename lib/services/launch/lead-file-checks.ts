import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'
import { db, pool } from '#lib/db/client'
import type { LeadFiles } from '#lib/domain/messages/attached/lead-file'
import { storedColumns } from '#lib/services/datasets/stored'
import { stepWhere } from '#lib/services/launch/file-checks'
import { loadLeadFileKeys, namesNone } from '#lib/services/messages/attached/lead-files'
import type { StepText } from '#lib/services/messages/step-texts'

type Found = Omit<LaunchCheck, 'fix'>
type Mailing = Pick<Campaign, 'workspace_id' | 'dataset_id' | 'steps_config'>

/** For steps that attach a separate file for each lead: how many leads have no file, and what happens to them. */
export async function leadFileChecks(campaign: Mailing, texts: StepText[], rule: string) {
  const warns: Found[] = []
  const informs: Found[] = []
  const carrying = texts.flatMap(({ text, ...placed }) =>
    text?.lead_files && campaign.steps_config[placed.step - 1]?.channel === 'email'
      ? [{ ...placed, text, lead_files: text.lead_files }]
      : [],
  )
  if (carrying.length === 0) return { warns, informs }
  const { workspace_id } = campaign
  const keys = await loadLeadFileKeys(
    pool(),
    workspace_id,
    new Map(carrying.map(({ text }, at) => [`${at}`, text])),
  )
  for (const [at, { step, label, lead_files }] of carrying.entries()) {
    const named = [...(keys.get(`${at}`)?.keys() ?? [])]
    const { all, without, lead_index, email } = await countWithout(campaign, lead_files, named, rule)
    const where = stepWhere({ step, label })
    const files = lead_files.attachment_ids.length
    if (without === 0) {
      const message = `${where} carries a separate file for each lead, chosen by ${lead_files.column}: ${files === 1 ? '1 file' : `${files} files`}.`
      informs.push({ code: 'lead_files', message, step })
      continue
    }
    const who =
      without === all ? (all === 1 ? 'The lead has' : 'No lead has') : `${without} of ${all} leads have`
    const none = without === all && all !== 1 ? 'a file' : 'no file'
    const example =
      lead_index === null ? '' : `, for example row ${lead_index + 1}${email ? `, ${email}` : ''}`
    const fate =
      lead_files.without === 'hold'
        ? 'They wait at this step, and the forecast leaves them out from there'
        : 'Their emails are sent without one'
    const message = `${where}: ${who} ${none} of its own by ${lead_files.column}${example}. ${fate}.`
    warns.push({ code: 'lead_file_missing', message, step })
  }
  return { warns, informs }
}

/** Steps whose lead files are chosen by a column that the dataset does not have, so that no file would be found. */
export async function unknownColumns(campaign: Mailing, texts: StepText[]): Promise<Found[]> {
  const asked = texts.flatMap(({ text, ...placed }) =>
    text?.lead_files ? [{ ...placed, ...text.lead_files }] : [],
  )
  if (asked.length === 0) return []
  const { dataset_id, workspace_id } = campaign
  const dataset = await db.dataset.findFirst({ where: { dataset_id, workspace_id } })
  const columns = new Set(['email', ...(dataset ? storedColumns(dataset).map(({ key }) => key) : [])])
  return asked
    .filter(({ column }) => !columns.has(column))
    .map(({ step, label, column }) => ({
      code: 'lead_file_column_unknown',
      message: `${stepWhere({ step, label })}: ${column}, by which each lead gets its file, is no column of the dataset.`,
      step,
    }))
}

type Counted = { all: number; without: number; lead_index: number | null; email: string | null }

async function countWithout(
  { workspace_id, dataset_id }: Mailing,
  { column }: LeadFiles,
  keys: string[],
  rule: string,
): Promise<Counted> {
  const { rows } = await pool().query<Counted>(
    `SELECT count(*)::int AS all, (count(*) FILTER (WHERE is_without))::int AS without,
       min(lead_index) FILTER (WHERE is_without) AS lead_index,
       (array_agg(email ORDER BY lead_index) FILTER (WHERE is_without))[1] AS email
     FROM (SELECT r.lead_index, r.email, ${namesNone('$3', '$4')} AS is_without
       FROM dataset_rows r ${rule}
       WHERE r.workspace_id = $1 AND r.dataset_id = $2 AND why.reason IS NULL) one`,
    [workspace_id, dataset_id, column, keys],
  )
  return rows[0] ?? { all: 0, without: 0, lead_index: null, email: null }
}
