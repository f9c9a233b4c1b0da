import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Textarea } from '#components/ui/controls/textarea'
import { Panel } from '#components/ui/layout/panel'

type Props = { email: string; sender: string | null; action: string }

/** A plain HTML form, so that it works without scripts. */
export function UnsubscribeForm({ email, sender, action }: Props) {
  return (
    <Panel>
      <h1 className="text-lg font-semibold tracking-tight">Unsubscribe?</h1>
      <p className="mt-1 text-sm text-pretty text-muted">
        <strong className="font-medium text-text wrap-anywhere">{email}</strong> will get no more emails from{' '}
        {sender ? <span className="text-text wrap-anywhere">{sender}</span> : 'this sender'}.
      </p>
      <form method="post" action={action} className="mt-5 grid gap-4">
        <input type="hidden" name="intent" value="unsubscribe" />
        <Field label="Anything they should know?" name="comment" hint="Optional.">
          <Textarea maxLength={1000} rows={3} />
        </Field>
        <Button type="submit" variant="primary" size="lg">
          Unsubscribe
        </Button>
      </form>
    </Panel>
  )
}
