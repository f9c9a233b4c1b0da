'use server'

import type { PreviewResult } from '#components/personalize/playground'
import { counted } from '#components/ui/counted'
import { updateCampaign } from '#lib/operations/campaigns/campaigns'
import * as operations from '#lib/operations/personalize/personalize'
import { action, answered, formAction, perform } from '../../action.ts'
import { formNumber, formText, formVersion } from '../../form-result.ts'

const readFields = (data: FormData) => ({
  ...Object.fromEntries(
    ['dataset_id', 'campaign_id', 'template_id', 'sender_profile_id', 'prompt'].flatMap((name) => {
      const value = formText(data, name)
      return value ? [[name, value]] : []
    }),
  ),
  ...(formText(data, 'step') ? { step: formNumber(data, 'step') } : {}),
})

/** Writes texts for the first three leads; stores nothing. */
export async function tryPrompt(_: PreviewResult | null, data: FormData): Promise<PreviewResult> {
  const tried = await answered(() => perform(operations.previewPersonalization, { body: readFields(data) }))
  return tried.ok ? { ok: true, ...tried.answer } : tried
}

/** Redirects to the run's page, which shows the progress. */
export const writeForAll = formAction(operations.personalize, (data) => ({ body: readFields(data) }), {
  anew: '/personalize',
  to: ({ run_id }) => `/personalize/${run_id}`,
})

export const usePromptInCampaign = formAction(
  updateCampaign,
  (data) => ({
    params: { campaign_id: formText(data, 'campaign_id') },
    body: { system_prompt: formText(data, 'prompt') },
  }),
  { said: 'This is now the campaign’s prompt.' },
)

const anew = '/personalize'

export const cancelRun = action(
  operations.cancelPersonalizationRun,
  (run_id: string) => ({ params: { run_id } }),
  { anew },
)

export const approveRun = action(
  operations.approvePersonalizationRun,
  (run_id: string, include_flagged: boolean) => ({ params: { run_id }, body: { include_flagged } }),
  { anew, said: ({ approved_count }) => `${counted(approved_count, 'texts')} approved.` },
)

const thisText = (generation_id: string) => ({ params: { generation_id } })

export const approveText = action(operations.approveGeneration, thisText, { anew })
export const rejectText = action(operations.rejectGeneration, thisText, { anew })
export const writeAnew = action(operations.regenerateGeneration, thisText, { anew })

export const editText = formAction(
  operations.editGeneration,
  (data, generation_id: string) => ({
    ...thisText(generation_id),
    body: { subject: formText(data, 'subject'), body: formText(data, 'body'), version: formVersion(data) },
  }),
  { anew, said: 'Saved. Approve it to send it.' },
)
