'use client'

import { TestTubeDiagonal } from 'lucide-react'
import { startTransition, useActionState, useRef, useState } from 'react'
import type { z } from 'zod'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction, type FormResult } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { ActingButton } from '#components/ui/controls/lock'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { failedResult } from '#components/ui/failed-result'
import { Callout } from '#components/ui/feedback/callout'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import type { PreviewPersonalization } from '#lib/contracts/personalize/personalize'
import { TextCard } from './text-card.tsx'

type Option = { value: string; label: string }
/** A campaign's dataset and its AI steps. */
type CampaignOption = Option & { dataset_id: string; steps: Option[] }
export type PreviewResult =
  | ({ ok: true } & z.output<typeof PreviewPersonalization.response>)
  | { ok: false; message: string }

type Options = { datasets: Option[]; campaigns: CampaignOption[]; templates: Option[]; profiles: Option[] }
type Chosen = { dataset_id?: string; campaign_id?: string; step?: string; prompt?: string }
type Props = Options & {
  chosen: Chosen
  writer: { name: string; offline: boolean }
  preview: (previous: PreviewResult | null, data: FormData) => Promise<PreviewResult>
  write: FormAction
  adopt: FormAction
}

/** Tries a prompt, template and profile on a few leads before writing for all of them. */
export function Playground({ preview, write, adopt, writer, chosen, ...options }: Props) {
  const fields = useRef<HTMLDivElement>(null)
  const [result, ask, isAsking] = useActionState(
    (previous: PreviewResult | null, data: FormData) => preview(previous, data).catch(failedResult),
    null,
  )
  const current = () => new FormData(fields.current?.closest('form') ?? undefined)
  const tryIt = () => {
    const data = current()
    startTransition(() => ask(data))
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,27rem)_minmax(0,1fr)]">
      <Panel title="Prompt">
        <ActionForm action={write} className="grid gap-4">
          <KeptFields name={`prompt:${chosen.campaign_id ?? chosen.dataset_id ?? 'new'}`} what="The prompt" />
          <div ref={fields} className="grid gap-4">
            <PromptFields options={options} chosen={chosen} isOffline={writer.offline} />
          </div>
          <div className="flex flex-wrap gap-2">
            <ActingButton type="button" variant="primary" aria-busy={isAsking} onClick={tryIt}>
              Try on three leads
            </ActingButton>
            <SubmitButton variant="secondary">Write for all leads</SubmitButton>
            {options.campaigns.length > 0 && <Adopt adopt={adopt} data={current} />}
          </div>
        </ActionForm>
      </Panel>
      <Tried result={result} isAsking={isAsking} />
    </div>
  )
}

type FieldsProps = { options: Options; chosen: Chosen; isOffline: boolean }

/** Choosing a campaign also sets its dataset and steps. */
function PromptFields({ options, chosen, isOffline }: FieldsProps) {
  const [campaignId, setCampaignId] = useState(chosen.campaign_id ?? '')
  const campaign = options.campaigns.find(({ value }) => value === campaignId)
  return (
    <>
      <Field label="Campaign" name="campaign_id">
        <Select
          options={[NONE, ...options.campaigns]}
          value={campaignId}
          onChange={(event) => setCampaignId(event.target.value)}
        />
      </Field>
      {campaign && (
        <Field
          label="Step"
          name="step"
          hint={campaign.steps.length === 0 ? 'No step of this campaign has AI texts yet.' : undefined}
        >
          <Select
            key={campaignId}
            options={campaign.steps.length > 0 ? campaign.steps : [NONE]}
            defaultValue={campaignId === chosen.campaign_id ? chosen.step : undefined}
          />
        </Field>
      )}
      <Field label="Leads" name="dataset_id" required>
        <Select
          key={campaignId}
          options={options.datasets}
          placeholder="Choose a dataset"
          defaultValue={campaign?.dataset_id ?? chosen.dataset_id ?? ''}
        />
      </Field>
      <Field
        label="Prompt"
        name="prompt"
        hint={
          isOffline
            ? 'No model is configured. The offline writer uses each lead’s own data and ignores the prompt.'
            : 'What the text should say. Facts come only from your data.'
        }
      >
        <Textarea rows={6} defaultValue={chosen.prompt ?? ''} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Template" name="template_id" hint="Its offer and its links are kept.">
          <Select options={[NONE, ...options.templates]} defaultValue="" />
        </Field>
        <Field label="Sender profile" name="sender_profile_id">
          <Select options={[{ value: '', label: 'Default profile' }, ...options.profiles]} defaultValue="" />
        </Field>
      </div>
    </>
  )
}

const NONE = { value: '', label: 'None' }

function Adopt({ adopt, data }: { adopt: FormAction; data: () => FormData }) {
  const [result, run, isPending] = useActionState(
    (previous: FormResult | null, data: FormData) => adopt(previous, data).catch(failedResult),
    null,
  )
  return (
    <>
      <ActingButton
        type="button"
        variant="ghost"
        // On a line of its own, its text aligns with the other buttons.
        className="max-sm:-ml-3 lg:-ml-3"
        aria-busy={isPending}
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

function Tried({ result, isAsking }: { result: PreviewResult | null; isAsking: boolean }) {
  if (result && !result.ok)
    return (
      <Callout tone="danger" role="alert">
        {result.message}
      </Callout>
    )
  return (
    <div className="grid min-w-0 gap-4" role="status" aria-busy={isAsking}>
      {result ? (
        result.generations.map((text) => (
          <Panel key={text.lead_index} title={leadTitle(text.lead_snapshot, text.lead_index)}>
            <TextCard text={text} />
          </Panel>
        ))
      ) : (
        <Panel>
          <EmptyState
            icon={<TestTubeDiagonal />}
            title={isAsking ? 'Writing …' : 'Nothing tried yet'}
            description="The texts for the first three leads appear here, with the source cell of each statement. Nothing is stored or sent."
          />
        </Panel>
      )}
    </div>
  )
}

const leadTitle = (cells: Record<string, unknown>, index: number) =>
  String(cells.full_name ?? cells.first_name ?? cells.email ?? `Lead ${index}`)
