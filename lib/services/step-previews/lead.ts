import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { db } from '#lib/db/client'
import { asRecord } from '#lib/domain/text/record'
import { AppError, invalid } from '#lib/errors'
import type { WaitingLead } from '#lib/services/sending/load'

export type Which = { step: number; lead_index: number; variant?: string | undefined }

/** The requested step; 422 if the campaign does not have it. */
export function findStep(steps: StepConfig[], which: Which): StepConfig {
  const step = steps[which.step - 1]
  if (!step) throw invalid(['body', 'step'], `the campaign has ${steps.length} steps`, 'unknown_reference')
  if (which.variant !== undefined && !step.variants.some(({ label }) => label === which.variant))
    throw invalid(['body', 'variant'], `step ${which.step} has no such variant`, 'unknown_reference')
  return step
}

/** A row as dispatch would see it, enrolled or not. For the number of a removed row, the next row is taken. */
export async function loadLead(
  campaign: { campaign_id: string; dataset_id: string; workspace_id: string },
  leadIndex: number,
): Promise<WaitingLead> {
  const { campaign_id, dataset_id, workspace_id } = campaign
  const row = await db.datasetRow.findFirst({
    where: { dataset_id, workspace_id, lead_index: { gte: leadIndex } },
    orderBy: { lead_index: 'asc' },
  })
  if (!row) throw new AppError('lead_not_found')
  const { lead_index } = row
  const lead = await db.campaignLead.findFirst({ where: { campaign_id, workspace_id, lead_index } })
  return {
    campaign_lead_id: lead?.campaign_lead_id ?? placeholder(0),
    lead_index,
    email: row.email,
    person_id: lead?.person_id ?? null,
    company_id: null,
    has_begun: false,
    data: asRecord(row.data),
    next_step: lead?.next_step ?? 1,
    due_at: lead?.next_action_at ?? new Date(0),
    mailbox_id: lead?.mailbox_id ?? null,
    connected_account_id: lead?.connected_account_id ?? null,
    social_profile: lead?.social_profile ?? null,
    social_problem: lead?.social_problem ?? null,
    social_provider_id: lead?.social_provider_id ?? null,
    thread_message_id: lead?.thread_message_id ?? null,
    thread_subject: lead?.thread_subject ?? null,
    is_new: !lead || lead.status === 'pending',
    suppressed: false,
    replied_elsewhere: false,
    has_left: false,
    timezone: lead?.timezone ?? null,
    away_until: null,
    reason: null,
    is_asleep: false,
  }
}

/** The variants and ids of steps that are in the ledger, so that previews keep them, and thereby their Message-IDs. */
export async function knownActions(leadId: string) {
  const actions = await db.action.findMany({
    where: { campaign_lead_id: leadId },
    select: { step: true, action_id: true, variant_label: true },
  })
  return new Map(actions.map((action) => [action.step, action]))
}

/** An id that no row has, so that links made from it resolve to nothing. */
export const placeholder = (step: number) => `00000000-0000-7000-8000-${String(step).padStart(12, '0')}`
