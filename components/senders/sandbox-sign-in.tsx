import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { LinkButton } from '#components/ui/controls/link-button'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Callout } from '#components/ui/feedback/callout'
import { Panel } from '#components/ui/layout/panel'
import { KIND_LABELS, NETWORK_LABELS } from './labels.tsx'

type Props = {
  /** Null: the link was used, has expired or is invalid. */
  network: string | null
  known: { name: string; kind: string } | null
  kinds: string[]
  approve: FormAction
  denied: string
}

/** Replaces a real network's sign-in: asks for no password, and nothing leaves the instance. */
export function SandboxSignIn({ network, known, kinds, approve, denied }: Props) {
  if (!network)
    return (
      <Callout tone="warning" title="This link no longer works">
        It was already used, or is older than 15 minutes.{' '}
        <a href="/accounts">Create a new one from your accounts.</a>
      </Callout>
    )
  const label = NETWORK_LABELS[network] ?? network
  return (
    <>
      <Callout title="This is a sandbox">
        A simulated {label}. Nobody here is real, and nothing you do here reaches anyone.
      </Callout>
      <Panel title={known ? `Sign in to ${label} again` : `Sign in to ${label}`}>
        <ActionForm action={approve} className="grid gap-4">
          <Field label="Name of the account" name="name" required>
            <Input maxLength={100} defaultValue={known?.name ?? 'Ada Lovelace'} />
          </Field>
          <Field label="Subscription" name="kind" hint="Sets the account’s action limits.">
            <Select
              options={kinds.map((value) => ({ value, label: KIND_LABELS[value] ?? value }))}
              defaultValue={known?.kind ?? 'premium'}
            />
          </Field>
          <div className="flex flex-wrap gap-2">
            <SubmitButton variant="primary">Allow access</SubmitButton>
            <LinkButton href={denied}>Deny</LinkButton>
          </div>
        </ActionForm>
      </Panel>
    </>
  )
}
