import type { Metadata } from 'next'
import { FieldList } from '#components/reference/field-list'
import { fieldRows } from '#lib/contracts/reference'
import { EVENT_TYPES, EVENTS, webhookPayload } from '#lib/contracts/telling/webhook-events'

export const metadata: Metadata = { title: 'Webhook events' }

/** The webhook events to which `createWebhook` subscribes. */
export default function EventsPage() {
  return (
    <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4">
      <h1 className="text-2xl font-semibold tracking-tight">Webhook events</h1>
      <p className="max-w-prose">
        Signed as standardwebhooks.com says, and sent at least once with the same <code>webhook-id</code>. Any
        answer except 2xx is retried; 410 disables the webhook.
      </p>
      {EVENT_TYPES.map((type) => (
        <section key={type} id={type} aria-label={type} className="scroll-mt-16">
          <h2 className="font-mono font-semibold">{type}</h2>
          <p className="mb-2 max-w-prose text-sm">{EVENTS[type].when}</p>
          <FieldList title="Payload" rows={fieldRows(webhookPayload(type), 'output')} />
        </section>
      ))}
    </div>
  )
}
