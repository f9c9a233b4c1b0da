'use client'

import { Field } from '#components/ui/controls/field'
import { Select } from '#components/ui/controls/select'
import type { Variant } from '#lib/contracts/campaigns/steps'
import type { SenderProfile } from '#lib/contracts/messages/sender-profiles'
import type { StepTemplate } from '#lib/contracts/messages/templates'

type Props = {
  variant: Variant | undefined
  templates: StepTemplate[]
  profiles: SenderProfile[]
  onTemplate: (template_id: string | null) => void
  onProfile: (sender_profile_id: string | null) => void
}

/** The source of the text and its sender profile; hidden if there is nothing to choose. */
export function SourceFields({ variant, templates, profiles, onTemplate, onProfile }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {templates.length > 0 && (
        <Field label="Text">
          <Select
            value={variant?.template_id ?? ''}
            options={[
              { value: '', label: 'Written here' },
              ...templates.map(({ template_id, name }) => ({ value: template_id, label: name })),
            ]}
            onChange={(event) => onTemplate(event.target.value || null)}
          />
        </Field>
      )}
      {profiles.length > 0 && (
        <Field label="Sender profile">
          <Select
            placeholder="Default profile"
            options={profiles.flatMap(({ id, profile_name }) =>
              id ? [{ value: id, label: profile_name }] : [],
            )}
            value={variant?.sender_profile_id ?? ''}
            onChange={(event) => onProfile(event.target.value || null)}
          />
        </Field>
      )}
    </div>
  )
}
