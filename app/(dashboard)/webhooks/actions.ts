'use server'

import { revalidatePath } from 'next/cache'
import type { SecretResult } from '#components/telling/create-webhook'
import * as operations from '#lib/operations/telling/webhooks'
import { action, formAction, perform } from '../../action.ts'
import { formResult, formText, formVersion } from '../../form-result.ts'

const thisWebhook = (webhook_id: string) => ({ params: { webhook_id } })
const anew = '/webhooks'

const readFields = (data: FormData) => ({
  url: formText(data, 'url'),
  description: formText(data, 'description') || null,
  event_types: data.getAll('event_types'),
})

/** All event checkboxes have the same name. */
const control = (path: string) => path.replace(/^event_types.*/, 'event_types')

/** Runs an operation that returns a secret, which the page gets only through this answer. */
async function withSecret(work: () => Promise<{ secret: string }>): Promise<SecretResult> {
  let secret: string | undefined
  const result = await formResult(async () => {
    secret = (await work()).secret
    revalidatePath('/webhooks', 'layout')
    return undefined
  }, control)
  return secret === undefined ? result : { ...result, secret }
}

export async function createWebhook(data: FormData): Promise<SecretResult> {
  return withSecret(() => perform(operations.createWebhook, { body: readFields(data) }))
}

export async function rotateSecret(webhookId: string): Promise<SecretResult> {
  return withSecret(() => perform(operations.rotateWebhookSecret, thisWebhook(webhookId)))
}

export const updateWebhook = formAction(
  operations.updateWebhook,
  (data, webhook_id: string) => ({
    ...thisWebhook(webhook_id),
    body: { ...readFields(data), version: formVersion(data) },
  }),
  { anew, control, said: 'Webhook saved.' },
)

export const switchWebhook = action(
  operations.updateWebhook,
  (webhook_id: string, enabled: boolean) => ({ ...thisWebhook(webhook_id), body: { enabled } }),
  { anew, said: ({ enabled }) => (enabled ? 'Events are sent again.' : 'No more events are sent.') },
)

export const testWebhook = action(operations.testWebhook, thisWebhook, {
  anew,
  said: 'Test event sent.',
})

export const deleteWebhook = action(operations.deleteWebhook, thisWebhook, { anew, to: '/webhooks' })

export const redeliver = action(
  operations.redeliverWebhook,
  (webhook_id: string, delivery_id: string) => ({ params: { webhook_id, delivery_id } }),
  { anew, said: 'Sending it again.' },
)
