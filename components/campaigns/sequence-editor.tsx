'use client'

import { Plus } from 'lucide-react'
import { useCallback, useState } from 'react'
import { MessagePreview, type Rendered } from '#components/templates/message-preview'
import { ActionForm, type FormAction } from '#components/ui/action-form'
import { Button } from '#components/ui/button'
import { Callout } from '#components/ui/callout'
import { SubmitButton } from '#components/ui/submit-button'
import type { SenderProfile } from '#lib/contracts/sender-profiles'
import type { StepConfig } from '#lib/contracts/steps'
import type { Template } from '#lib/contracts/templates'
import { StepCard } from './step-card.tsx'
import { emailStep, moved, numbered } from './steps.tsx'
import { TestSend } from './test-send.tsx'

/** The steps as they stand in the editor: which of them, for which lead, and which variant if not the one it draws. */
export type RenderStep = (
  steps: StepConfig[],
  step: number,
  variant: string | null,
  lead_index: number,
) => Promise<Rendered>

type Props = {
  steps: StepConfig[]
  templates: Template[]
  profiles: SenderProfile[]
  /** Merge fields of the dataset. */
  fields: string[]
  leads: number
  /** Why nothing may be changed now; null: everything from `reached` on may. */
  locked: string | null
  /** The last step that some lead has begun; steps up to it are fixed. */
  reached: number
  save: FormAction
  render: RenderStep
  sendTest: FormAction
}

const MOST_STEPS = 20

/** Sends `steps_config` as JSON. The order is the numbering; steps that leads have reached can neither move nor change. */
export function SequenceEditor({
  steps: saved,
  templates,
  profiles,
  fields,
  leads,
  locked,
  reached,
  save,
  render,
  sendTest,
}: Props) {
  const [steps, setSteps] = useState(saved.length > 0 ? saved : [emailStep(1)])
  const [open, setOpen] = useState(0)
  const [variantLabel, setVariantLabel] = useState<string | null>(null)
  const step = steps[open]
  const variant = step?.variants.find((one) => one.label === variantLabel) ?? step?.variants[0]
  const number = step?.step ?? 1
  const label = variant?.label ?? null
  const renderOpen = useCallback(
    (lead: number) => render(steps, number, label, lead),
    [render, steps, number, label],
  )

  function change(next: StepConfig[], nowOpen: number) {
    setSteps(numbered(next))
    setOpen(nowOpen)
  }

  return (
    <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
      <ActionForm action={save} className="min-w-0">
        <input type="hidden" name="steps_config" value={JSON.stringify(steps)} />
        {locked && <Callout className="mb-4">{locked}</Callout>}
        <fieldset disabled={locked !== null}>
          <legend className="sr-only">Steps</legend>
          <ol>
            {steps.map((one, index) => (
              <StepCard
                // The number is the step's identity on the wire; cards that move take their content along.
                key={one.step}
                step={one}
                isOpen={index === open}
                isFixed={one.step <= reached}
                isFirstMovable={index <= reached}
                isLast={index === steps.length - 1}
                templates={templates}
                profiles={profiles}
                fields={fields}
                onOpen={() => setOpen(index)}
                onChange={(next) => setSteps(steps.map((old, at) => (at === index ? next : old)))}
                onMove={(by) => change(moved(steps, index, by), index + by)}
                onRemove={() =>
                  change(
                    steps.filter((_, at) => at !== index),
                    Math.max(0, index - 1),
                  )
                }
                onShowVariant={setVariantLabel}
              />
            ))}
          </ol>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button
              disabled={steps.length >= MOST_STEPS}
              onClick={() => change([...steps, emailStep(steps.length + 1)], steps.length)}
            >
              <Plus aria-hidden /> Add a step
            </Button>
            {!locked && <SubmitButton>Save sequence</SubmitButton>}
          </div>
        </fieldset>
      </ActionForm>
      {step && (
        <div className="xl:sticky xl:top-4 xl:self-start">
          <p className="mb-2 text-sm text-muted">
            Step {step.step}
            {variant && ` · variant ${variant.label}`}, exactly as it would be sent
          </p>
          <MessagePreview leads={leads} render={renderOpen} />
          <TestSend step={number} variant={label} send={sendTest} />
        </div>
      )}
    </div>
  )
}
