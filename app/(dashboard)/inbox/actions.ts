'use server'

import { revalidatePath } from 'next/cache'
import type { z } from 'zod'
import type { FormResult } from '#components/ui/action-form'
import { ReplyInInbox, UpdateInboxThread } from '#lib/contracts/inbox'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import { updateInboxThread } from '#lib/services/inbox'
import { replyInInbox } from '#lib/services/inbox-reply'
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

export const markDone = async (id: string) => change(id, { status: 'done', unread: false }, 'Done.')
export const reopen = async (id: string) => change(id, { status: 'open', snoozed_until: null }, 'Open again.')
export const markUnread = async (id: string) => change(id, { unread: true }, 'Unread again.')

/** Opening a conversation reads it: no event of the owner's doing, so the audit log is spared. */
export async function markRead(id: string): Promise<void> {
  const user = await requireUser()
  await updateInboxThread(user.user_id, UpdateInboxThread.params.parse({ thread_id: id }).thread_id, {
    unread: false,
  })
  revalidatePath('/inbox', 'layout')
}

/** Until the same time of a later day. */
export async function snooze(id: string, days: number): Promise<FormResult> {
  const until = new Date(Date.now() + days * 86_400_000).toISOString()
  return change(id, { snoozed_until: until }, days === 1 ? 'Back tomorrow.' : `Back in ${days} days.`)
}

export async function setLabels(id: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  const labels = textOf(data, 'labels')
    .split(',')
    .map((label) => label.trim())
    .filter(Boolean)
  return change(id, { labels }, 'Labels kept.')
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
      throw new AppError('provider_rejected', { message: `It did not leave: ${response}` })
    return delivery_status === 'uncertain' ? 'It may have left; it is not sent again by itself.' : 'Sent.'
  })
}
