'use server'

import { revalidatePath } from 'next/cache'
import type { z } from 'zod'
import type { DraftAnswer } from '#components/inbox/answer-form'
import type { FormResult } from '#components/ui/controls/action-form'
import type { InboxIntent, UpdateInboxThread } from '#lib/contracts/inbox/inbox'
import { AppError } from '#lib/errors'
import * as decisions from '#lib/operations/campaigns/campaign-decisions'
import * as operations from '#lib/operations/inbox/inbox'
import * as notes from '#lib/operations/inbox/inbox-notes'
import { action, answered, formAction, perform } from '../../action.ts'
import { formResult, formText } from '../../form-result.ts'

type Changes = z.input<typeof UpdateInboxThread.body>

const anew = '/inbox'
const thisThread = (thread_id: string) => ({ params: { thread_id } })
const changed = (thread_id: string, body: Changes) => ({ ...thisThread(thread_id), body })

export const archive = action(
  operations.updateInboxThread,
  (id: string) => changed(id, { status: 'done', unread: false }),
  { anew },
)
export const reopen = action(
  operations.updateInboxThread,
  (id: string) => changed(id, { status: 'open', snoozed_until: null }),
  { anew },
)
export const markUnread = action(
  operations.updateInboxThread,
  (id: string) => changed(id, { unread: true }),
  { anew, said: 'Marked as unread.' },
)
export const snooze = action(
  operations.updateInboxThread,
  (id: string, snoozed_until: string) => changed(id, { snoozed_until }),
  { anew, said: 'Snoozed.' },
)
export const releasePerson = action(
  decisions.releaseCampaignLead,
  (campaign_id: string, campaign_lead_id: string) => ({ params: { campaign_id, campaign_lead_id } }),
  { anew, said: 'Campaigns go on with this person.' },
)
/** Whom somebody names instead of themselves, as a lead of the same campaign. */
export const addNamed = action(
  decisions.addCampaignLeads,
  (campaign_id: string, email: string, name: string | null) => {
    const [first_name, ...rest] = (name ?? '').split(' ').filter(Boolean)
    const last_name = rest.join(' ')
    const named = { ...(first_name && { first_name }), ...(last_name && { last_name }) }
    return { params: { campaign_id }, body: { rows: [{ email, ...named }] } }
  },
  { anew, said: ({ added, skipped }) => (added > 0 ? 'Added to the campaign.' : skipped[0]?.message) },
)
export const assign = action(
  operations.updateInboxThread,
  (id: string, assignee_id: string | null) => changed(id, { assignee_id }),
  {
    anew,
    said: ({ assignee_name }) => (assignee_name ? `Assigned to ${assignee_name}.` : 'Nobody has it now.'),
  },
)
export const setIntent = action(
  operations.updateInboxThread,
  (id: string, intent: InboxIntent | null) => changed(id, { intent }),
  { anew, said: 'The intent is corrected. A lead that has ended stays ended.' },
)
export const toggleLabel = action(
  operations.updateInboxThread,
  (id: string, label: string, isOn: boolean) =>
    changed(id, isOn ? { add_labels: [label] } : { remove_labels: [label] }),
  { anew },
)

/** As the inbox is opened: nothing is said of it, and what comes in shows by itself. */
export async function checkQuietly(): Promise<void> {
  await answered(() => perform(operations.checkInbox))
}
export const checkNow = action(operations.checkInbox, () => ({}), {
  said: ({ mailboxes, accounts }) =>
    mailboxes + accounts > 0 ? 'Checking for new messages.' : 'Everything was read a moment ago.',
})

export async function markRead(id: string): Promise<void> {
  await perform(operations.markInboxThreadRead, thisThread(id))
  revalidatePath('/inbox', 'layout')
}

/** A new label, and onto the conversation from whose menu it was made. */
export async function createLabel(id: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  const label = formText(data, 'label')
  return formResult(async () => {
    await perform(operations.saveInboxLabel, { body: { label, color: formText(data, 'color') } })
    await perform(operations.updateInboxThread, changed(id, { add_labels: [label] }))
    revalidatePath('/inbox', 'layout')
    return undefined
  })
}

export const paintLabel = action(
  operations.saveInboxLabel,
  (label: string, color: string) => ({ body: { label, color } }),
  { anew },
)

export const deleteLabel = action(
  operations.deleteInboxLabel,
  (label_id: string) => ({ params: { label_id } }),
  { anew, said: 'The label is deleted.' },
)

/** Changes nothing: what it answers is put into the form, for a person to read and send. */
export async function draftAnswer(id: string): Promise<DraftAnswer> {
  const drafted = await answered(() => perform(operations.draftInboxReply, thisThread(id)))
  return drafted.ok ? { ok: true, ...drafted.answer } : drafted
}

export const writeNote = formAction(
  notes.createInboxNote,
  (data, id: string) => ({ ...thisThread(id), body: { text: formText(data, 'text') } }),
  { anew },
)
export const deleteNote = action(
  notes.deleteInboxNote,
  (thread_id: string, note_id: string) => ({ params: { thread_id, note_id } }),
  { anew, said: 'The note is deleted.' },
)

export const answer = formAction(
  operations.replyInInbox,
  (data, id: string) => ({
    ...thisThread(id),
    body: {
      text: formText(data, 'text'),
      last_message_id: formText(data, 'anyway') ? null : formText(data, 'last_message_id') || null,
    },
  }),
  {
    anew,
    said: ({ delivery_status, response }) => {
      // Refused, so that what was written stays in the form.
      if (delivery_status === 'failed')
        throw new AppError('provider_rejected', { message: `It was not sent: ${response}` })
      return delivery_status === 'uncertain'
        ? 'It may have been sent, so it is not retried automatically.'
        : 'Sent.'
    },
  },
)
