import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { SubmitButton } from '#components/ui/controls/submit-button'

type Props = {
  disown: FormAction
  /** Whether the address had already been verified as the account owner's. */
  isVerified: boolean
}

export function DisownForm({ disown, isVerified }: Props) {
  return (
    <ActionForm action={disown}>
      <div className="grid gap-4">
        <p className="text-sm text-pretty text-muted">
          {isVerified
            ? 'Passkeys, identity providers, the authenticator app and API keys added since that sign-in are removed. Afterwards, check Settings → Security for any others that are not yours.'
            : 'This address was not confirmed before, so the account’s passkeys, identity providers, authenticator app and API keys are removed.'}
        </p>
        <SubmitButton size="lg" variant="danger">
          Sign everything out
        </SubmitButton>
      </div>
    </ActionForm>
  )
}
