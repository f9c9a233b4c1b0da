'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { SecretResult } from '#components/telling/create-webhook'
import type { FormResult } from '#components/ui/controls/action-form'
import type { Contract } from '#lib/contracts/contract'
import {
  CreateWebhook,
  DeleteWebhook,
  ReadWebhook,
  ReadWebhookDelivery,
  RedeliverWebhook,
  RotateWebhookSecret,
  TestWebhook,
  UpdateWebhook,
} from '#lib/contracts/telling/webhooks'
import { requireUser } from '#lib/http/session'
import * as deliveries from '#lib/services/telling/webhook-deliveries'
import * as service from '#lib/services/telling/webhooks'
import { formResult, textOf, versionOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

const fieldsOf = (data: FormData) => ({
  url: textOf(data, 'url'),
  description: textOf(data, 'description') || null,
  event_types: data.getAll('event_types'),
})

/** Its checkboxes have one name. */
const nameOf = (control: string) => control.replace(/^event_types.*/, 'event_types')

/** Runs what answers a secret, which reaches the page by this answer and no other way. */
async function withSecret(work: () => Promise<{ secret: string }>): Promise<SecretResult> {
  let secret: string | undefined
  const result = await formResult(async () => {
    secret = (await work()).secret
    revalidatePath('/webhooks', 'layout')
    return undefined
  }, nameOf)
  return secret === undefined ? result : { ...result, secret }
}

export async function createWebhook(data: FormData): Promise<SecretResult> {
  const user = await requireUser()
  return withSecret(async () => {
    const made = await service.createWebhook(
      user.user_id,
      CreateWebhook.body.parse(fieldsOf(data)),
      new Date(),
    )
    await noted(user, CreateWebhook, { webhook_id: made.webhook_id })
    return made
  })
}

export async function rotateSecret(webhookId: string): Promise<SecretResult> {
  const user = await requireUser()
  return withSecret(async () => {
    const { webhook_id } = ReadWebhook.params.parse({ webhook_id: webhookId })
    const made = await service.rotateWebhookSecret(user.user_id, webhook_id, new Date())
    await noted(user, RotateWebhookSecret, { webhook_id })
    return made
  })
}

/** Runs one act upon a webhook of whoever is signed in. */
async function actOn(
  webhookId: string,
  contract: Contract,
  act: (userId: string, webhookId: string, now: Date) => Promise<unknown>,
  said: string,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { webhook_id } = ReadWebhook.params.parse({ webhook_id: webhookId })
    await act(user.user_id, webhook_id, new Date())
    await noted(user, contract, { webhook_id })
    revalidatePath('/webhooks', 'layout')
    return said
  }, nameOf)
}

export async function updateWebhook(
  webhookId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const save = (userId: string, id: string, now: Date) =>
    service.updateWebhook(
      userId,
      id,
      UpdateWebhook.body.parse({ ...fieldsOf(data), version: versionOf(data) }),
      now,
    )
  return actOn(webhookId, UpdateWebhook, save, 'The webhook is saved.')
}

export async function switchWebhook(webhookId: string, enabled: boolean): Promise<FormResult> {
  const change = (userId: string, id: string, now: Date) =>
    service.updateWebhook(userId, id, { enabled }, now)
  return actOn(
    webhookId,
    UpdateWebhook,
    change,
    enabled ? 'Events are sent again.' : 'No more events are sent.',
  )
}

export async function testWebhook(webhookId: string): Promise<FormResult> {
  return actOn(webhookId, TestWebhook, deliveries.testWebhook, 'A test event is on its way.')
}

export async function deleteWebhook(webhookId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { webhook_id } = ReadWebhook.params.parse({ webhook_id: webhookId })
    await service.deleteWebhook(user.user_id, webhook_id)
    await noted(user, DeleteWebhook, { webhook_id })
    revalidatePath('/webhooks')
    redirect('/webhooks')
  })
}

export async function redeliver(webhookId: string, deliveryId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const ids = ReadWebhookDelivery.params.parse({ webhook_id: webhookId, delivery_id: deliveryId })
    await deliveries.redeliverWebhook(user.user_id, ids, new Date())
    await noted(user, RedeliverWebhook, ids)
    revalidatePath('/webhooks', 'layout')
    return 'It is on its way again.'
  })
}
