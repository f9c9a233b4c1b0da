import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'

const LABELS = { free: 'Free', starter: 'Starter', growth: 'Growth', scale: 'Scale' }
type Tier = keyof typeof LABELS

export const tierLabel = (tier: Tier): string => LABELS[tier]

type Props = { tiers: Tier[]; current?: Tier; label: string; choose: FormAction }

export function TierForm({ tiers, current, label, choose }: Props) {
  return (
    <ActionForm action={choose} className="flex flex-wrap items-end gap-3">
      <Field label="Tier" name="tier" className="w-48">
        <Select
          options={tiers.map((value) => ({ value, label: LABELS[value] }))}
          defaultValue={current ?? tiers[0]}
        />
      </Field>
      <SubmitButton variant="primary">{label}</SubmitButton>
    </ActionForm>
  )
}
