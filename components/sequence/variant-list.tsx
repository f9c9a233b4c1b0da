'use client'

import { Eye, Plus, Scale, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { IconButton } from '#components/ui/controls/icon-button'
import { Input } from '#components/ui/controls/input'
import { Select } from '#components/ui/controls/select'
import type { Variant } from '#lib/contracts/campaigns/steps'
import type { SenderProfile } from '#lib/contracts/messages/sender-profiles'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import { even, sumWeights, withoutVariant, withVariant } from './steps.tsx'

const MOST = 26

type Props = {
  /** Weights in percents. */
  variants: Variant[]
  templates: StepTemplate[]
  profiles: SenderProfile[]
  /** Of the one in the preview. */
  shown: string | null
  weightsProblem: string | undefined
  onChange: (variants: Variant[]) => void
  onShow: (label: string) => void
}

/** Each with its share of the leads; who gets which is drawn once per lead and then stays. */
export function VariantList(props: Props) {
  const { variants, templates, weightsProblem, onChange } = props
  const sum = sumWeights(variants)
  const sumId = useId()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Shares variants={variants} />
      {variants.map((variant) => (
        <VariantCard key={variant.label} {...props} variant={variant} sumId={sumId} />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          disabled={variants.length >= MOST}
          onClick={() => onChange(withVariant(variants, templates[0]?.template_id ?? null))}
        >
          <Plus aria-hidden /> Add a variant
        </Button>
        {variants.length > 1 && (
          <Button size="sm" onClick={() => onChange(even(variants))}>
            <Scale aria-hidden /> Even weights
          </Button>
        )}
        <output id={sumId} className={`ml-auto text-sm ${weightsProblem ? 'text-danger' : 'text-muted'}`}>
          {weightsProblem ?? `${sum} % of 100 %`}
        </output>
      </div>
    </div>
  )
}

const FILLS = ['bg-plot-1', 'bg-plot-2', 'bg-plot-3', 'bg-plot-4']

/** The shares as lengths of one bar; the numbers stand at the variants. */
function Shares({ variants }: { variants: Variant[] }) {
  return (
    <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full bg-sunken">
      {variants.map((variant, index) => (
        <span
          key={variant.label}
          className={FILLS[index % FILLS.length]}
          style={{ width: `${variant.weight}%` }}
        />
      ))}
    </div>
  )
}

type CardProps = Props & { variant: Variant; sumId: string }

function VariantCard(props: CardProps) {
  const { variant, variants, templates, shown, onChange, onShow } = props
  const set = (part: Partial<Variant>) =>
    onChange(variants.map((old) => (old.label === variant.label ? { ...old, ...part } : old)))
  const template = templates.find(({ template_id }) => template_id === variant.template_id)
  return (
    <fieldset className="min-w-0 rounded-sm border border-border p-3">
      <legend className="sr-only">Variant {variant.label}</legend>
      <div className="mb-3 flex items-center justify-between gap-2">
        <p className="text-sm font-medium">
          Variant {variant.label} <span className="text-muted">{variant.weight} %</span>
        </p>
        <span className="flex">
          <IconButton
            small
            label={`Preview variant ${variant.label}`}
            aria-pressed={shown === variant.label}
            className="aria-pressed:text-accent-text"
            onClick={() => onShow(variant.label)}
          >
            <Eye />
          </IconButton>
          <IconButton
            small
            label={`Remove variant ${variant.label}`}
            disabled={variants.length === 1}
            onClick={() => onChange(withoutVariant(variants, variant.label))}
          >
            <Trash2 />
          </IconButton>
        </span>
      </div>
      <VariantFields {...props} set={set} />
      <label className="mt-3 flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={variant.type === 'AI'}
          onChange={(event) => set({ type: event.target.checked ? 'AI' : 'TEMPLATE' })}
        />
        An AI writes from this template; you approve
      </label>
      {template && <TemplateText template={template} />}
    </fieldset>
  )
}

const whole = (value: number) => (Number.isFinite(value) ? Math.max(0, Math.min(100, Math.round(value))) : 0)

function TemplateText({ template }: { template: StepTemplate }) {
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit cursor-pointer rounded-xs text-muted hover:text-text">Show its text</summary>
      <div className="mt-2 rounded-sm bg-sunken p-3">
        {template.content.subject && <p className="mb-1 font-medium">{template.content.subject}</p>}
        <p className="line-clamp-6 whitespace-pre-wrap wrap-anywhere">{template.content.body}</p>
        {!template.is_gone && (
          <a
            className="mt-2 inline-block text-accent-text underline"
            href={`/templates/${template.template_id}`}
            target="_blank"
            rel="noreferrer"
          >
            {template.inherited_from ? 'View the template' : 'Edit the template'}
          </a>
        )}
      </div>
    </details>
  )
}

function VariantFields(props: CardProps & { set: (part: Partial<Variant>) => void }) {
  const { variant, templates, profiles, weightsProblem, sumId, set } = props
  const weightId = useId()
  return (
    <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_5.5rem]">
      <Field label="Template">
        <Select
          placeholder="Choose a template"
          options={templates.map(({ template_id, name }) => ({ value: template_id, label: name }))}
          value={variant.template_id ?? ''}
          onChange={(event) => set({ template_id: event.target.value || null })}
        />
      </Field>
      <Field label="Sender profile">
        <Select
          placeholder="The default one"
          options={profiles.flatMap(({ id, profile_name }) =>
            id ? [{ value: id, label: profile_name }] : [],
          )}
          value={variant.sender_profile_id ?? ''}
          onChange={(event) => set({ sender_profile_id: event.target.value || null })}
        />
      </Field>
      <div>
        <label htmlFor={weightId} className="mb-1 block text-sm font-medium">
          Weight, %
        </label>
        <Input
          id={weightId}
          type="number"
          min={0}
          max={100}
          aria-invalid={weightsProblem ? true : undefined}
          aria-describedby={sumId}
          value={variant.weight}
          onChange={(event) => set({ weight: whole(event.target.valueAsNumber) })}
        />
      </div>
    </div>
  )
}
