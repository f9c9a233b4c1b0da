import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'
import { sentTogether } from '#lib/domain/messages/attached/limits'
import { sizeWords } from '#lib/domain/text/size-words'
import { findAttached } from '#lib/services/messages/attached/attachments'
import type { StepText } from '#lib/services/messages/step-texts'

type Found = Omit<LaunchCheck, 'fix'>
type Mailing = Pick<Campaign, 'workspace_id' | 'steps_config'>

/** Deliverability findings about the files that steps attach, and files that no longer exist, which block the launch. */
export async function fileChecks({ workspace_id, steps_config }: Mailing, texts: StepText[]) {
  const checks: Record<'blocks' | 'warns' | 'informs', Found[]> = { blocks: [], warns: [], informs: [] }
  const mails = texts.filter(({ step }) => steps_config[step - 1]?.channel === 'email')
  const carrying = mails.flatMap(({ step, label, text, first }) =>
    text?.attachment_ids?.length ? [{ step, label, first, ids: text.attachment_ids }] : [],
  )
  const known = await findAttached(
    workspace_id,
    carrying.flatMap(({ ids }) => ids),
  )
  for (const { step, label, first, ids } of carrying) {
    const where = stepWhere({ step, label })
    const files = ids.flatMap((id) => known.get(id) ?? [])
    if (files.length < ids.length) {
      checks.blocks.push(gone({ step, label }))
      continue
    }
    const what = `${where} carries ${files.length === 1 ? 'a file' : `${files.length} files`} (${files.map(({ filename }) => filename).join(', ')}; ${sizeWords(sentTogether(files))} in each email)`
    if (first)
      checks.warns.push({
        code: 'attachment_in_first',
        message: `${what}. Filters hold back files from strangers, and many people do not open them. Link to it, or attach it once they reply.`,
        step,
      })
    else checks.informs.push({ code: 'attachments', message: `${what}.`, step })
  }
  checks.blocks.push(...(await goneOfLeads(workspace_id, mails)))
  return checks
}

type Placed = Pick<StepText, 'step' | 'label'>

export const stepWhere = ({ step, label }: Placed) =>
  label ? `Step ${step}, variant ${label}` : `Step ${step}`

const gone = ({ step, label }: Placed): Found => ({
  code: 'attachment_missing',
  message: `${stepWhere({ step, label })}: a file of its template no longer exists. Attach it again in the template.`,
  step,
})

/** Files chosen per lead must exist as well: the lead of a missing file would get none. */
async function goneOfLeads(workspaceId: string, mails: StepText[]): Promise<Found[]> {
  const asked = mails.flatMap(({ text, ...placed }) =>
    text?.lead_files ? [{ ...text.lead_files, ...placed }] : [],
  )
  const known = await findAttached(
    workspaceId,
    asked.flatMap(({ attachment_ids }) => attachment_ids),
  )
  return asked
    .filter(({ attachment_ids }) => attachment_ids.some((id) => !known.has(id)))
    .map((placed) => gone(placed))
}
