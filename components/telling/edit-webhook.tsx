'use client'

import { useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { type EventChoice, WebhookFields } from '#components/telling/webhook-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import type { Webhook } from '#lib/contracts/telling/webhooks'

type Props = { webhook: Webhook; events: EventChoice[]; save: FormAction }

export function EditWebhook({ webhook, events, save }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Edit</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Edit webhook">
        <ActionForm action={save} onDone={() => setOpen(false)} className="grid gap-4">
          <KeptFields
            name={`webhook:${webhook.webhook_id}`}
            what="The webhook"
            version={webhook.version}
            values={{
              url: webhook.url,
              description: webhook.description,
              event_types: webhook.event_types,
            }}
          />
          <WebhookFields events={events} webhook={webhook} />
          <DialogActions>
            <SubmitButton>Save</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
    </>
  )
}
