'use server'

import { revalidatePath } from 'next/cache'
import type { z } from 'zod'
import type { DraftAnswer } from '#components/inbox/answer-form'
import type { FormResult } from '#components/ui/controls/action-form'
import { DraftInboxReply, ReplyInInbox, UpdateInboxThread } from '#lib/contracts/inbox/inbox'
import { DeleteInboxLabel, type LabelColor, SaveInboxLabel } from '#lib/contracts/inbox/inbox-labels'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import { draftInboxReply } from '#lib/services/inbox/draft'
import * as labels from '#lib/services/inbox/labels'
import { replyInInbox } from '#lib/services/inbox/reply'
import { updateInboxThread } from '#lib/services/inbox/threads'
import { formResult, textOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

type Changes = z.input<typeof UpdateInboxThread.body>

async function change(threadId: string, changes: Changes, said?: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { thread_id } = UpdateInboxThread.params.parse({ thread_id: threadId })
    await updateInboxThread(user.user_id, thread_id, UpdateInboxThread.body.parse(changes))
    await noted(user, UpdateInboxThread, { thread_id })
    revalidatePath('/inbox', 'layout')
    return said
  })
}

export const archive = async (id: string) => change(id, { status: 'done', unread: false })
export const reopen = async (id: string) => change(id, { status: 'open', snoozed_until: null })
export const markUnread = async (id: string) => change(id, { unread: true }, 'Marked as unread.')

/** Opening a conversation reads it: no event of the owner's doing, so the audit log is spared. */
export async function markRead(id: string): Promise<void> {
  const user = await requireUser()
  await updateInboxThread(user.user_id, UpdateInboxThread.params.parse({ thread_id: id }).thread_id, {
    unread: false,
  })
  revalidatePath('/inbox', 'layout')
}

export async function snooze(id: string, until: string): Promise<FormResult> {
  return change(id, { snoozed_until: until }, 'Snoozed.')
}

export async function toggleLabel(id: string, label: string, isOn: boolean): Promise<FormResult> {
  return change(id, isOn ? { add_labels: [label] } : { remove_labels: [label] })
}

/** A new label, and onto the conversation from whose menu it was made. */
export async function createLabel(id: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const wanted = SaveInboxLabel.body.parse({ label: textOf(data, 'label'), color: textOf(data, 'color') })
    const { label_id } = await labels.saveInboxLabel(user.user_id, wanted)
    await noted(user, SaveInboxLabel, label_id ? { label_id } : {})
    const added = await change(id, { add_labels: [wanted.label] })
    if (!added.ok) throw new AppError('conflict', { message: added.message })
    return undefined
  })
}

export async function paintLabel(label: string, color: LabelColor): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    await labels.saveInboxLabel(user.user_id, SaveInboxLabel.body.parse({ label, color }))
    await noted(user, SaveInboxLabel)
    revalidatePath('/inbox', 'layout')
    return undefined
  })
}

export async function deleteLabel(id: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { label_id } = DeleteInboxLabel.params.parse({ label_id: id })
    await labels.deleteInboxLabel(user.user_id, label_id)
    await noted(user, DeleteInboxLabel, { label_id })
    revalidatePath('/inbox', 'layout')
    return 'The label is deleted.'
  })
}

/** Changes nothing: what it answers is put into the form, for a person to read and send. */
export async function draftAnswer(id: string): Promise<DraftAnswer> {
  const user = await requireUser()
  try {
    const { thread_id } = DraftInboxReply.params.parse({ thread_id: id })
    const { text, written_by } = await draftInboxReply(user.user_id, thread_id, new Date())
    return { ok: true, text, written_by }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.message }
    throw error
  }
}

export async function answer(id: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { thread_id } = ReplyInInbox.params.parse({ thread_id: id })
    const { text } = ReplyInInbox.body.parse({ text: textOf(data, 'text') })
    const { delivery_status, response } = await replyInInbox(user.user_id, thread_id, text, new Date())
    await noted(user, ReplyInInbox, { thread_id })
    revalidatePath('/inbox', 'layout')
    // Refused, so that what was written stays in the form.
    if (delivery_status === 'failed')
      throw new AppError('provider_rejected', { message: `It was not sent: ${response}` })
    return delivery_status === 'uncertain'
      ? 'It may have been sent, so it is not retried automatically.'
      : 'Sent.'
  })
}
