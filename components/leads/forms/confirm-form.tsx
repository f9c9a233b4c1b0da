import { Button } from '#components/ui/controls/button'
import { Panel } from '#components/ui/layout/panel'

type Props = { entry: { email: string; consent_text: string }; action: string }

/** A plain HTML form, so that it works without scripts. */
export function ConfirmForm({ entry: { email, consent_text }, action }: Props) {
  return (
    <Panel>
      <h1 className="text-lg font-semibold tracking-tight">Confirm your address</h1>
      <p className="mt-1 text-sm text-pretty text-muted">
        Somebody entered <span className="text-text wrap-anywhere">{email}</span> in a form. If that was you,
        confirm that you agree to this:
      </p>
      <blockquote className="mt-4 border-l-2 border-border pl-3 text-sm whitespace-pre-line wrap-anywhere">
        {consent_text}
      </blockquote>
      <form method="post" action={action} className="mt-5 grid gap-3">
        <Button type="submit" variant="primary" size="lg">
          Confirm
        </Button>
        <p className="text-sm text-pretty text-muted">
          If it was not you, close this page. The address will be erased.
        </p>
      </form>
    </Panel>
  )
}
