import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { CopyButton } from '#components/ui/copy-button'
import { Panel } from '#components/ui/layout/panel'
import type { Referral } from '#lib/contracts/billing/billing'

type Props = { referral: Referral; apply: FormAction }

export function ReferralPanel({ referral, apply }: Props) {
  const { referral_code, referred_count, extra_api_keys, has_applied } = referral
  return (
    <Panel
      title="Referral"
      description="You and everybody who uses your code get one more API key each, up to ten."
    >
      <div className="grid gap-4">
        <p className="flex items-center gap-1 text-sm">
          Your code: <code className="font-mono">{referral_code}</code>
          <CopyButton text={referral_code} label="Copy your code" />
        </p>
        <p className="text-sm text-muted">
          {referred_count === 0
            ? 'Nobody has used it yet.'
            : `${referred_count.toLocaleString('en')} applied it; ${extra_api_keys} more API ${extra_api_keys === 1 ? 'key' : 'keys'} so far.`}
        </p>
        {!has_applied && (
          <ActionForm action={apply} className="flex flex-wrap items-end gap-3">
            <Field label="Referral code" name="referral_code" className="w-56">
              <Input autoComplete="off" />
            </Field>
            <SubmitButton variant="secondary">Apply</SubmitButton>
          </ActionForm>
        )}
      </div>
    </Panel>
  )
}
