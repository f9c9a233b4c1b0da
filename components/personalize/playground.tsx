'use client'

import { startTransition, useActionState, useRef } from 'react'
import type { z } from 'zod'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { ActingButton } from '#components/ui/controls/lock'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import type { PreviewPersonalization } from '#lib/contracts/personalize/personalize'
import { TextCard } from './text-card.tsx'

type Option = { value: string; label: string }
export type PreviewResult =
  | ({ ok: true } & z.output<typeof PreviewPersonalization.response>)
  | { ok: false; message: string }

type Props = {
  datasets: Option[]
  campaigns: Option[]
  templates: Option[]
  profiles: Option[]
  chosen: { dataset_id?: string; campaign_id?: string; step?: string; prompt?: string }
  writer: { name: string; offline: boolean }
  preview: (previous: PreviewResult | null, data: FormData) => Promise<PreviewResult>
  write: FormAction
  adopt: FormAction
}

/** A prompt, a template and a profile on a few leads, side by side, before it is written for all of them. */
export function Playground({ preview, write, adopt, writer, chosen, ...options }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  const [result, ask, isAsking] = useActionState(preview, null)
  const current = () => new FormData(fields.current?.closest('form') ?? undefined)
  return (
    <div className="grid gap-4">
      {writer.offline && (
        <Callout>
          No model is configured, so the Offline writer composes from each lead’s own cells. It follows no
          prompt.
        </Callout>
      )}
      <ActionForm action={write} className="grid gap-4">
        <KeptFields name={`prompt:${chosen.campaign_id ?? chosen.dataset_id ?? 'new'}`} what="The prompt" />
        <div ref={fields} className="grid gap-4 md:grid-cols-2">
          <Field label="Leads" name="dataset_id" required>
            <Select
              options={options.datasets}
              placeholder="Choose a dataset"
              defaultValue={chosen.dataset_id ?? ''}
            />
          </Field>
          <Field label="Sender profile" name="sender_profile_id">
            <Select
              options={[{ value: '', label: 'Default profile' }, ...options.profiles]}
              defaultValue=""
            />
          </Field>
        </div>
        <div className="grid gap-4 md:grid-cols-3">
          <Field label="Campaign" name="campaign_id" hint="The campaign with the AI step.">
            <Select options={[NONE, ...options.campaigns]} defaultValue={chosen.campaign_id ?? ''} />
          </Field>
          <Field label="Step number" name="step" hint="Empty: the campaign’s first AI step.">
            <Input type="number" min={1} max={20} defaultValue={chosen.step ?? ''} />
          </Field>
          <Field label="Template" name="template_id" hint="Its offer and its links are kept.">
            <Select options={[NONE, ...options.templates]} defaultValue="" />
          </Field>
        </div>
        <Field label="Prompt" name="prompt" hint="What the text should say. Facts come only from your data.">
          <Textarea rows={4} defaultValue={chosen.prompt ?? ''} />
        </Field>
        <div className="flex flex-wrap gap-2">
          <ActingButton
            type="button"
            disabled={isAsking}
            aria-busy={isAsking}
            onClick={() => {
              const data = current()
              startTransition(() => ask(data))
            }}
          >
            Try on three leads
          </ActingButton>
          <SubmitButton>Write for all leads</SubmitButton>
          {options.campaigns.length > 0 && <Adopt adopt={adopt} data={current} />}
        </div>
      </ActionForm>
      <Tried result={result} />
    </div>
  )
}

const NONE = { value: '', label: 'None' }

function Adopt({ adopt, data }: { adopt: FormAction; data: () => FormData }) {
  const [result, run, isPending] = useActionState(adopt, null)
  return (
    <>
      <ActingButton
        type="button"
        variant="ghost"
        disabled={isPending}
        onClick={() => {
          const given = data()
          startTransition(() => run(given))
        }}
      >
        Use as the campaign’s prompt
      </ActingButton>
      {result?.message && (
        <span role="status" className="self-center text-sm text-muted">
          {result.message}
        </span>
      )}
    </>
  )
}

function Tried({ result }: { result: PreviewResult | null }) {
  if (!result) return null
  if (!result.ok)
    return (
      <Callout tone="danger" role="alert">
        {result.message}
      </Callout>
    )
  return (
    <div className="grid gap-4 lg:grid-cols-3" role="status">
      {result.generations.map((text) => (
        <Panel key={text.lead_index} title={leadTitle(text.lead_snapshot, text.lead_index)}>
          <TextCard text={text} />
        </Panel>
      ))}
    </div>
  )
}

const leadTitle = (cells: Record<string, unknown>, index: number) =>
  String(cells.full_name ?? cells.first_name ?? cells.email ?? `Lead ${index}`)
