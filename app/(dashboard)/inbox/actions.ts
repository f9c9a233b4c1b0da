'use server'

import { revalidatePath } from 'next/cache'
import type { z } from 'zod'
import type { DraftAnswer } from '#components/inbox/composer/answer-form'
import type { AnswerResult, Planned } from '#components/inbox/composer/send-receipt'
import type { TemplateText } from '#components/inbox/composer/template-offer'
import type { ChangeThreads, ThreadChange } from '#components/inbox/list/thread-selection'
import type { FormResult } from '#components/ui/controls/action-form'
import type { InboxIntent, UpdateInboxThread } from '#lib/contracts/inbox/inbox'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import * as decisions from '#lib/operations/campaigns/campaign-decisions'
import * as operations from '#lib/operations/inbox/inbox'
import * as drafts from '#lib/operations/inbox/inbox-drafts'
import * as notes from '#lib/operations/inbox/inbox-notes'
import { action, answered, formAction, perform } from '../../action.ts'
import { attachedIds, formResult, formText } from '../../form-result.ts'

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
  { anew, said: 'Campaigns can contact this person again.' },
)
/** Adds the person named by a reply as a lead of the same campaign. */
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
    said: ({ assignee_name }) => (assignee_name ? `Assigned to ${assignee_name}.` : 'Unassigned.'),
  },
)
export const setIntent = action(
  operations.updateInboxThread,
  (id: string, intent: InboxIntent | null) => changed(id, { intent }),
  { anew, said: 'Intent updated. A lead that has ended stays ended.' },
)
export const toggleLabel = action(
  operations.updateInboxThread,
  (id: string, label: string, isOn: boolean) =>
    changed(id, isOn ? { add_labels: [label] } : { remove_labels: [label] }),
  { anew },
)

const CHANGES: Record<ThreadChange, Changes> = {
  archive: { status: 'done', unread: false },
  reopen: { status: 'open', snoozed_until: null },
  read: { unread: false },
  unread: { unread: true },
}

export async function changeThreads(change: ThreadChange, thread_ids: string[]): ReturnType<ChangeThreads> {
  const body = { thread_ids, ...CHANGES[change] }
  const done = await answered(() => perform(operations.updateInboxThreads, { body }))
  if (!done.ok) return done
  revalidatePath('/inbox', 'layout')
  return { ok: true, updated: done.answer.updated }
}

/** Runs when the inbox is opened: reports nothing, and new mail appears by itself. */
export async function checkQuietly(): Promise<void> {
  await answered(() => perform(operations.checkInbox))
}
export const checkNow = action(operations.checkInbox, () => ({}), {
  said: ({ mailboxes, accounts }) =>
    mailboxes + accounts > 0 ? 'Checking for new messages.' : 'Everything is up to date.',
})

export async function markRead(id: string): Promise<void> {
  await perform(operations.markInboxThreadRead, thisThread(id))
  revalidatePath('/inbox', 'layout')
}

/** Creates a label and adds it to the conversation. */
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
  { anew, said: 'Label deleted.' },
)

/** Changes nothing: the proposal is inserted into the form for the user to read and send. */
export async function draftAnswer(id: string): Promise<DraftAnswer> {
  const drafted = await answered(() => perform(operations.draftInboxReply, thisThread(id)))
  return drafted.ok ? { ok: true, ...drafted.answer } : drafted
}

/** A template rendered for the person of a conversation, to be inserted into the form. */
export async function templateText(id: string, template_id: string): Promise<TemplateText> {
  const read = await answered(() =>
    perform(operations.readInboxTemplate, { params: { thread_id: id, template_id } }),
  )
  return read.ok ? { ok: true, ...read.answer } : read
}

export const writeNote = formAction(
  notes.createInboxNote,
  (data, id: string) => ({ ...thisThread(id), body: { text: formText(data, 'text') } }),
  { anew },
)
export const deleteNote = action(
  notes.deleteInboxNote,
  (thread_id: string, note_id: string) => ({ params: { thread_id, note_id } }),
  { anew, said: 'Note deleted.' },
)

/** Time to undo sending. */
const UNDO_MS = 10_000

/** A reply is sent after the undo period, or at the time its author chose. */
export async function answer(
  id: string,
  zone: string,
  _: FormResult | null,
  data: FormData,
): Promise<AnswerResult> {
  let planned: Planned | undefined
  const now = Date.now()
  const result = await formResult(async () => {
    const { inbox_message_id, at } = await perform(operations.replyInInbox, {
      ...thisThread(id),
      body: {
        text: formText(data, 'text'),
        cc: formAddresses(data, 'cc'),
        bcc: formAddresses(data, 'bcc'),
        attachment_ids: attachedIds(data),
        last_message_id: lastSeen(data),
        draft_id: formText(data, 'draft_id') || null,
        send_at: formText(data, 'send_at') || new Date(now + UNDO_MS).toISOString(),
      },
    })
    revalidatePath(anew, 'layout')
    const left_ms = new Date(at).getTime() - Date.now()
    if (inbox_message_id) planned = { draft_id: inbox_message_id, left_ms, at: clockTime(at, zone) }
    return undefined
  }, toCopyField)
  return result.ok && planned ? { ...result, planned } : result
}

/**
 * A reply sent anyway ignores newer messages; a scheduled one is still stopped by messages after the one it
 * was confirmed against.
 */
function lastSeen(data: FormData): string | null {
  const anyway = formText(data, 'anyway')
  if (anyway === '') return formText(data, 'last_message_id') || null
  return formText(data, 'send_at') === '' || anyway === 'on' ? null : anyway
}

/** Addresses separated by commas, with or without names. */
const formAddresses = (data: FormData, name: string): string[] =>
  formText(data, name)
    .split(/[,;\n]/)
    .map((one) => (/<([^<>]*)>/.exec(one)?.[1] ?? one).trim())
    .filter(Boolean)

/** All addresses are in one control. */
const toCopyField = (control: string) =>
  control.replace(/^(b?cc)\.\d+$/, '$1').replace(/^(attachment_ids|files).*/, 'attachments')

export async function forward(
  thread_id: string,
  inbox_message_id: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  return formResult(async () => {
    const body = {
      to: formText(data, 'to'),
      cc: formAddresses(data, 'cc'),
      text: formText(data, 'text'),
      files: data.getAll('files').map(Number),
      attachment_ids: attachedIds(data),
    }
    const { delivery_status, response } = await perform(operations.forwardInInbox, {
      params: { thread_id, inbox_message_id },
      body,
    })
    revalidatePath(anew, 'layout')
    if (delivery_status === 'failed')
      throw new AppError('provider_rejected', { message: `It was not sent: ${response}` })
    return delivery_status === 'uncertain'
      ? 'It may have been forwarded. Check the conversation.'
      : 'Forwarded.'
  }, toCopyField)
}

const clockTime = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(new Date(at))

const thisDraft = (thread_id: string, draft_id: string) => ({ params: { thread_id, draft_id } })

/** The page may belong to another workspace than the session's current one. */
export async function takeBack(
  workspace_id: string,
  thread_id: string,
  draft_id: string,
): Promise<FormResult> {
  return formResult(async () => {
    if ((await requireUser()).workspace_id !== workspace_id)
      throw new AppError('draft_not_found', {
        message: 'This reply belongs to another workspace. Switch back there to undo it.',
      })
    await perform(drafts.updateInboxDraft, { ...thisDraft(thread_id, draft_id), body: { send_at: null } })
    revalidatePath(anew, 'layout')
    return 'Not sent. Your text is back.'
  })
}
export const sendDraftNow = action(
  drafts.updateInboxDraft,
  (thread_id: string, draft_id: string, version: number) => ({
    ...thisDraft(thread_id, draft_id),
    body: { send_at: new Date().toISOString(), version },
  }),
  { anew, said: 'Sending…' },
)
export const discardDraft = action(drafts.deleteInboxDraft, thisDraft, { anew, said: 'Discarded.' })
