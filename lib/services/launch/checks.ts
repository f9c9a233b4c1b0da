import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { db } from '#lib/db/client'
import { neverHolds } from '#lib/domain/campaigns/step-conditions'
import { whyWithoutRows } from '#lib/services/datasets/without-rows'
import { unverifiedDomains } from '#lib/services/domains/sender-domains'
import { sendersNotGiven } from '#lib/services/instance/given-senders'
import { fileChecks } from '#lib/services/launch/file-checks'
import { unknownColumns } from '#lib/services/launch/lead-file-checks'
import { socialProblems } from '#lib/services/launch/social-checks'
import { type LaunchProblem, loadStepTexts, problemsOfTexts } from '#lib/services/messages/step-texts'
import { senderFilter } from '#lib/services/senders/mailboxes'

type Checked = Pick<
  Campaign,
  | 'campaign_id'
  | 'workspace_id'
  | 'user_id'
  | 'dataset_id'
  | 'steps_config'
  | 'alias_ids'
  | 'connected_account_id'
>

/** The problems that block a launch; empty if there are none. */
export async function blockingProblems(campaign: Checked): Promise<LaunchProblem[]> {
  const [dataset, mailboxes, texts, social, notGiven] = await Promise.all([
    db.dataset.findFirst({ where: { dataset_id: campaign.dataset_id, workspace_id: campaign.workspace_id } }),
    db.mailbox.findMany({
      where: senderFilter(campaign),
      select: { address: true, send_as: true, smtp: true },
    }),
    loadStepTexts(campaign),
    socialProblems(campaign),
    sendersNotGiven(campaign),
  ])
  const problems: LaunchProblem[] = []
  const add = (code: string, message: string, step: number | null = null) =>
    problems.push({ code, message, step })

  if (campaign.steps_config.length === 0) add('no_steps', 'The campaign has no steps.')
  if (!dataset || dataset.row_count === 0) {
    const why = dataset ? await whyWithoutRows(dataset) : 'dataset_empty'
    add(why, why === 'dataset_busy' ? 'The dataset is still being imported.' : 'The dataset has no rows.')
  }
  const usesMail = campaign.steps_config.some((step) => step.channel === 'email')
  if (usesMail && mailboxes.length === 0) add('no_sender', 'No connected mailbox can send for this campaign.')
  if (usesMail)
    for (const domain of await unverifiedDomains(campaign.workspace_id, mailboxes))
      add('domain_unverified', `${domain} is not verified, and your settings require it.`)
  for (const { code, message } of notGiven) add(code, message)
  for (const { code, message, step } of social) add(code, message, step)
  for (const [index, { step }] of campaign.steps_config.entries()) {
    const never = neverHolds(campaign.steps_config, index)
    if (never) add('condition_never_holds', `Step ${step} never runs: ${never}.`, step)
  }

  const files = await fileChecks(campaign, texts)
  const columns = await unknownColumns(campaign, texts)
  return [...problems, ...problemsOfTexts(campaign, texts, dataset), ...files.blocks, ...columns]
}
