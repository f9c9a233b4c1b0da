'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/controls/action-form'
import { CreateCampaign, DeleteCampaign } from '#lib/contracts/campaigns/campaigns'
import type { Contract } from '#lib/contracts/contract'
import { DeleteDataset } from '#lib/contracts/datasets/datasets'
import { ImportSpreadsheet } from '#lib/contracts/datasets/uploads'
import { AddSuppressions, DeleteSuppression } from '#lib/contracts/leads/suppressions'
import { CreateSenderProfile, DeleteSenderProfile } from '#lib/contracts/messages/sender-profiles'
import { CreateTemplate, DeleteTemplate } from '#lib/contracts/messages/templates'
import { CreateSocialPost, DeleteSocialPost } from '#lib/contracts/posts/social-posts'
import { CreateMailbox, DeleteMailbox } from '#lib/contracts/senders/mailboxes'
import { requireUser } from '#lib/http/session'
import { removeSamples } from '#lib/services/sandbox/removal'
import {
  addSample,
  type SampleItem,
  type SampleItemKind,
  type SampleKind,
} from '#lib/services/sandbox/samples'
import { formResult } from '../../form-result.ts'
import { noted } from '../../noted.ts'

/** What an act upon a sample is in the audit log: the same as if it were done by hand. */
const NOTED: Record<SampleItemKind, { id: string; made: Contract; removed: Contract }> = {
  campaign: { id: 'campaign_id', made: CreateCampaign, removed: DeleteCampaign },
  leads: { id: 'dataset_id', made: ImportSpreadsheet, removed: DeleteDataset },
  template: { id: 'template_id', made: CreateTemplate, removed: DeleteTemplate },
  sender_profile: { id: 'id', made: CreateSenderProfile, removed: DeleteSenderProfile },
  post: { id: 'post_id', made: CreateSocialPost, removed: DeleteSocialPost },
  suppression: { id: 'suppression_id', made: AddSuppressions, removed: DeleteSuppression },
  mailbox: { id: 'mailbox_id', made: CreateMailbox, removed: DeleteMailbox },
}

async function noteAll(user: { user_id: string }, items: SampleItem[], act: 'made' | 'removed') {
  for (const { kind, item_id } of items) {
    const contract = NOTED[kind][act]
    await noted(user, contract, { [NOTED[kind].id]: item_id })
  }
}

const SAID: Record<SampleKind, string> = {
  campaign: 'A sample campaign is ready, with made-up leads and texts.',
  leads: 'The sample leads are being read.',
  template: 'Two sample templates are added.',
  sender_profile: 'A sample profile is added.',
  post: 'A sample post is added as a draft.',
  suppression: 'A sample entry is added.',
}

/** For the empty state of any list, by SampleButton. */
export async function addSampleData(kind: SampleKind): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    await noteAll(user, await addSample(user, kind, new Date()), 'made')
    revalidatePath('/', 'layout')
    return SAID[kind]
  })
}

export async function removeSampleData(): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { removed, kept } = await removeSamples(user.user_id, new Date())
    await noteAll(user, removed, 'removed')
    revalidatePath('/', 'layout')
    return kept.length === 0 ? 'The sample data is removed.' : `The rest stays: ${kept.join(' ')}`
  })
}
