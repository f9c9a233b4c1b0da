'use client'

import { useRef, useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { NewSecret } from '#components/telling/new-secret'
import { type EventChoice, WebhookFields } from '#components/telling/webhook-fields'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'

/** The form's result, with the secret if one was created. */
export type SecretResult = FormResult & { secret?: string }

type Props = { events: EventChoice[]; create: (data: FormData) => Promise<SecretResult> }

export function CreateWebhook({ events, create }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const made = useRef<string | null>(null)
  async function submit(_: FormResult | null, data: FormData): Promise<FormResult> {
    const { secret: fresh, ...result } = await create(data)
    made.current = fresh ?? null
    return result
  }
  /** Runs after the form has cleared its draft. */
  function done() {
    setOpen(false)
    setSecret(made.current)
  }
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        New webhook
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="New webhook">
        <ActionForm action={submit} onDone={done} className="grid gap-4">
          <KeptFields name="webhook:new" what="The webhook" />
          <WebhookFields events={events} />
          <DialogActions>
            <SubmitButton>Create webhook</SubmitButton>
          </DialogActions>
        </ActionForm>
      </Dialog>
      <NewSecret secret={secret} onStored={() => setSecret(null)} />
    </>
  )
}
