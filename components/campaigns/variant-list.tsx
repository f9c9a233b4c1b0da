'use client'

import { Eye, Plus, Trash2 } from 'lucide-react'
import { Button } from '#components/ui/button'
import { Field } from '#components/ui/field'
import { IconButton } from '#components/ui/icon-button'
import { Input } from '#components/ui/input'
import { Select } from '#components/ui/select'
import type { SenderProfile } from '#lib/contracts/sender-profiles'
import type { Variant } from '#lib/contracts/steps'
import type { Template } from '#lib/contracts/templates'
import { newVariant, shareOf } from './steps.tsx'

type Props = {
  variants: Variant[]
  templates: Template[]
  profiles: SenderProfile[]
  onChange: (variants: Variant[]) => void
  onShow: (label: string) => void
}

/** Side by side, each with its weight and the share that it makes. Who gets which is drawn once per lead. */
export function VariantList({ variants, templates, profiles, onChange, onShow }: Props) {
  const set = (index: number, part: Partial<Variant>) =>
    onChange(variants.map((old, at) => (at === index ? { ...old, ...part } : old)))
  return (
    <div className="grid gap-3">
      {variants.map((variant, index) => (
        <div key={variant.label} className="rounded-sm border border-border p-3">
          <div className="mb-3 flex items-center justify-between gap-2">
            <p className="text-sm font-medium">
              Variant {variant.label} <span className="text-muted">{shareOf(variant, variants)} %</span>
            </p>
            <span className="flex">
              <IconButton
                small
                label={`Preview variant ${variant.label}`}
                onClick={() => onShow(variant.label)}
              >
                <Eye />
              </IconButton>
              <IconButton
                small
                label={`Remove variant ${variant.label}`}
                disabled={variants.length === 1}
                onClick={() => onChange(variants.filter((_, at) => at !== index))}
              >
                <Trash2 />
              </IconButton>
            </span>
          </div>
          <div className="grid gap-3 sm:grid-cols-[1fr_1fr_5rem]">
            <Field label="Template">
              <Select
                placeholder="Choose a template"
                options={templates.map(({ template_id, name }) => ({ value: template_id, label: name }))}
                value={variant.template_id ?? ''}
                onChange={(event) => set(index, { template_id: event.target.value || null })}
              />
            </Field>
            <Field label="Sender profile">
              <Select
                placeholder="The default one"
                options={profiles.flatMap(({ id, profile_name }) =>
                  id ? [{ value: id, label: profile_name }] : [],
                )}
                value={variant.sender_profile_id ?? ''}
                onChange={(event) => set(index, { sender_profile_id: event.target.value || null })}
              />
            </Field>
            <Field label="Weight">
              <Input
                type="number"
                min={0}
                max={100}
                value={variant.weight}
                onChange={(event) =>
                  set(index, { weight: Math.max(0, Math.min(100, event.target.valueAsNumber || 0)) })
                }
              />
            </Field>
          </div>
        </div>
      ))}
      <Button
        size="sm"
        className="justify-self-start"
        disabled={variants.length >= 26}
        onClick={() => onChange([...variants, newVariant(variants, templates[0]?.template_id ?? null)])}
      >
        <Plus aria-hidden /> Add a variant
      </Button>
    </div>
  )
}
