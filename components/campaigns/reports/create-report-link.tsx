'use client'

import { Share2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { CodeBlock } from '#components/ui/code-block'
import { ActionForm, type FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { ActingButton } from '#components/ui/controls/lock'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import { REPORT_DAYS } from '#lib/domain/campaigns/report-days'

export type NewLinkAnswer = { ok: true; url: string } | Extract<FormResult, { ok: false }>
export type CreateLink = (data: FormData) => Promise<NewLinkAnswer>

type Shared = { campaign_id: string; name: string }
type Props = {
  create: CreateLink
  /** A single campaign is shared directly; of several, some are selected. */
  campaigns: Shared[]
}

const LIFETIMES = [
  { value: '7', label: 'In 7 days' },
  { value: String(REPORT_DAYS), label: `In ${REPORT_DAYS} days` },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

/** The link is shown only once, like an API key. */
export function CreateReportLink({ create, campaigns }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [url, setUrl] = useState<string | null>(null)
  const made = useRef<string | null>(null)

  async function submit(_: FormResult | null, data: FormData): Promise<FormResult> {
    const answer = await create(data)
    if (!answer.ok) return answer
    made.current = answer.url
    return { ok: true }
  }
  function close() {
    setOpen(false)
    setUrl(null)
  }

  return (
    <>
      <ActingButton disabled={campaigns.length === 0} onClick={() => setOpen(true)}>
        <Share2 aria-hidden /> New report link
      </ActingButton>
      <Dialog
        onlyByButton={url !== null}
        isOpen={isOpen}
        onClose={close}
        title={url ? 'Copy the link now' : 'New report link'}
        description={
          url
            ? 'For your security, it cannot be shown again.'
            : 'Anyone with the link can see the results, without an account.'
        }
        footer={url && <Button onClick={close}>I copied it</Button>}
      >
        {url ? (
          <CodeBlock label="Report link" code={url} />
        ) : (
          <ActionForm action={submit} onDone={() => setUrl(made.current)} className="grid gap-4">
            <LinkFields campaigns={campaigns} />
            <DialogActions>
              <SubmitButton>Create link</SubmitButton>
            </DialogActions>
          </ActionForm>
        )}
      </Dialog>
    </>
  )
}

function LinkFields({ campaigns }: { campaigns: Shared[] }) {
  const [only, ...others] = campaigns
  const isOne = others.length === 0
  return (
    <>
      <Field label="Name" name="name" required hint="Shown to readers as the report title.">
        <Input maxLength={100} defaultValue={isOne ? only?.name.slice(0, 100) : undefined} />
      </Field>
      {isOne ? (
        <input type="hidden" name="campaign_ids" value={only?.campaign_id ?? ''} />
      ) : (
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-sm font-medium">Campaigns</legend>
          <div className="grid max-h-60 gap-1 overflow-y-auto">
            {campaigns.map(({ campaign_id, name }) => (
              <Checkbox
                key={campaign_id}
                name="campaign_ids"
                value={campaign_id}
                label={<span className="wrap-anywhere">{name}</span>}
              />
            ))}
          </div>
        </fieldset>
      )}
      <Field label="Expires" name="expires_in_days">
        <Select options={LIFETIMES} defaultValue={String(REPORT_DAYS)} />
      </Field>
      <Checkbox
        name="show_names"
        label="Show names of people who replied"
        hint="Email addresses and message texts are never shown."
      />
    </>
  )
}
