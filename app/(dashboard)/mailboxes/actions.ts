'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import { CreateMailbox, DeleteMailbox, TestMailbox, UpdateMailbox } from '#lib/contracts/senders/mailboxes'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import * as test from '#lib/services/senders/mailbox-test'
import * as service from '#lib/services/senders/mailboxes'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'
import { formResult, numberOf, textOf, versionOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

type Server = {
  host: string
  port: number | undefined
  security: string
  username: string | null
  password?: string
}

/** An empty password is left out, which keeps the one that the mailbox has. */
function serverOf(data: FormData, prefix: 'smtp' | 'imap'): Server {
  const password = data.get(`${prefix}.password`)
  return {
    host: textOf(data, `${prefix}.host`),
    port: numberOf(data, `${prefix}.port`),
    security: textOf(data, `${prefix}.security`),
    username: textOf(data, `${prefix}.username`) || null,
    ...(typeof password === 'string' && password !== '' ? { password } : {}),
  }
}

function fieldsOf(data: FormData) {
  const start = numberOf(data, 'ramp_up.start')
  return {
    name: textOf(data, 'name') || null,
    signature: textOf(data, 'signature') || null,
    smtp: serverOf(data, 'smtp'),
    imap: textOf(data, 'imap.host') ? serverOf(data, 'imap') : null,
    daily_limit: numberOf(data, 'daily_limit'),
    min_interval_seconds: numberOf(data, 'min_interval_seconds'),
    ramp_up:
      start === undefined
        ? null
        : { start, increase_per_day: numberOf(data, 'ramp_up.increase_per_day') ?? 0 },
  }
}

/** What the form's hints say of empty fields: a password goes with the address, and incoming mail with outgoing mail. */
function withLogins(address: string, fields: ReturnType<typeof fieldsOf>): ReturnType<typeof fieldsOf> {
  const named = (server: Server): Server =>
    server.password && !server.username ? { ...server, username: address } : server
  const smtp = named(fields.smtp)
  if (!fields.imap) return { ...fields, smtp }
  const { username, password } = fields.imap
  const imap =
    username || password
      ? named(fields.imap)
      : { ...fields.imap, username: smtp.username, password: smtp.password }
  return { ...fields, smtp, imap }
}

export async function createMailbox(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const address = textOf(data, 'address')
    const body = CreateMailbox.body.parse({ address, ...withLogins(address, fieldsOf(data)) })
    const { mailbox_id } = await service.createMailbox(user.user_id, body, new Date())
    await noted(user, CreateMailbox, { mailbox_id })
    await test.testMailbox(user.user_id, mailbox_id, new Date())
    revalidatePath('/mailboxes')
    redirect('/mailboxes')
  })
}

export async function updateMailbox(
  mailboxId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { mailbox_id } = UpdateMailbox.params.parse({ mailbox_id: mailboxId })
    const body = UpdateMailbox.body.parse({ ...fieldsOf(data), version: versionOf(data) })
    await service.updateMailbox(user.user_id, mailbox_id, body, new Date())
    await noted(user, UpdateMailbox, { mailbox_id })
    revalidatePath('/mailboxes', 'layout')
    return 'The mailbox is saved.'
  })
}

export async function deleteMailbox(mailboxId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { mailbox_id } = DeleteMailbox.params.parse({ mailbox_id: mailboxId })
    await service.deleteMailbox(user.user_id, mailbox_id)
    await noted(user, DeleteMailbox, { mailbox_id })
    revalidatePath('/mailboxes')
    return 'The mailbox is removed.'
  })
}

export async function testMailbox(mailboxId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { mailbox_id } = TestMailbox.params.parse({ mailbox_id: mailboxId })
    const { ok, error } = await test.testMailbox(user.user_id, mailbox_id, new Date())
    revalidatePath('/mailboxes')
    if (!ok) throw new AppError('provider_rejected', { message: `The test failed: ${error}` })
    return 'The connection works.'
  })
}

/** A mailbox whose mail stays on this machine. */
export async function connectSandboxMailbox(): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { address, mailbox_id } = await connectSandbox(user, new Date())
    await noted(user, CreateMailbox, { mailbox_id })
    await test.testMailbox(user.user_id, mailbox_id, new Date())
    revalidatePath('/', 'layout')
    return `${address} is connected; what it sends stays in the sandbox.`
  })
}
