import type { SampleItem } from '#lib/contracts/sandbox/samples'
import { db, pool } from '#lib/db/client'
import { mayDelete } from '#lib/domain/campaigns/campaign-status'
import { typedKeys } from '#lib/domain/text/record'
import { AppError } from '#lib/errors'
import { deleteCampaign } from '#lib/services/changes/deletion'
import { deleteDataset } from '#lib/services/datasets/datasets'
import { pauseCampaign } from '#lib/services/launch/lifecycle'
import { forgetPeople, peopleOfDatasets } from '#lib/services/leads/people/forget'
import { deleteSuppression } from '#lib/services/leads/suppressions'
import { deleteSenderProfile } from '#lib/services/messages/sender-profiles'
import { deleteTemplate } from '#lib/services/messages/templates'
import { deleteSocialPost } from '#lib/services/posts/delete'
import { deleteMailbox } from '#lib/services/senders/mailboxes'
import { socialProvider } from '#lib/services/senders/social-provider'

type SampleItemKind = SampleItem['kind']

/** In this order: users of something before the thing they use. */
const REMOVERS: Record<SampleItemKind, (workspaceId: string, id: string, now: Date) => Promise<void>> = {
  campaign: removeCampaign,
  leads: deleteDataset,
  template: deleteTemplate,
  sender_profile: deleteSenderProfile,
  post: (workspaceId, id, now) =>
    deleteSocialPost(workspaceId, id, { keep_published: true }, socialProvider, now),
  suppression: deleteSuppression,
  mailbox: deleteMailbox,
}

export const countSamples = (workspaceId: string): Promise<number> =>
  db.sampleItem.count({ where: { workspace_id: workspaceId } })

/**
 * Removes everything that was added as a sample, including running campaigns with their messages and replies. A sample that the owner has
 * built upon stays, with the reason, and no longer counts as a sample.
 */
export async function removeSamples(
  workspaceId: string,
  now: Date,
): Promise<{ removed: SampleItem[]; kept: string[] }> {
  const rows = await db.sampleItem.findMany({ where: { workspace_id: workspaceId } })
  const lists = rows.flatMap(({ kind, item_id }) => (kind === 'leads' ? item_id : []))
  const people = await peopleOfDatasets(pool(), workspaceId, lists)
  const removed: SampleItem[] = []
  const kept: string[] = []
  for (const kind of typedKeys(REMOVERS))
    for (const { item_id } of rows.filter((row) => row.kind === kind)) {
      const reason = await remove(workspaceId, { kind, item_id }, now)
      if (reason === null) removed.push({ kind, item_id })
      else if (reason) kept.push(reason)
      await db.sampleItem.deleteMany({ where: { workspace_id: workspaceId, kind, item_id } })
    }
  await forgetPeople(pool(), workspaceId, people)
  return { removed, kept: [...new Set(kept)] }
}

/** Null once it is removed; the reason if it stays; empty if it was deleted before. */
async function remove(workspaceId: string, { kind, item_id }: SampleItem, now: Date): Promise<string | null> {
  try {
    await REMOVERS[kind](workspaceId, item_id, now)
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code.endsWith('not_found') ? '' : error.message
  }
}

async function removeCampaign(workspaceId: string, campaignId: string, now: Date): Promise<void> {
  const campaign = await db.campaign.findFirst({
    where: { campaign_id: campaignId, workspace_id: workspaceId },
  })
  if (!campaign) throw new AppError('campaign_not_found')
  if (!mayDelete(campaign.status)) await pauseCampaign(workspaceId, campaignId, now)
  // Before the campaign's actions are deleted, because they identify its mail in the sandbox.
  await db.$executeRaw`
    DELETE FROM sandbox_messages s USING actions a
    WHERE a.campaign_id = ${campaignId}::uuid AND s.workspace_id = ${workspaceId}::uuid AND s.message_id = a.message_id`
  await deleteCampaign(workspaceId, campaignId)
  const where = { workspace_id: workspaceId, campaign_id: campaignId }
  await db.$transaction([db.thread.deleteMany({ where }), db.inboundMessage.deleteMany({ where })])
}
