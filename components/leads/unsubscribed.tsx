import { Button } from '#components/ui/controls/button'
import { Panel } from '#components/ui/layout/panel'

type Props = { email: string; sender: string | null; may_resubscribe: boolean; action: string }

export function Unsubscribed({ email, sender, may_resubscribe, action }: Props) {
  return (
    <Panel>
      <h1 className="text-lg font-semibold tracking-tight">You are unsubscribed</h1>
      <p className="mt-1 text-sm text-pretty text-muted">
        <strong className="font-medium text-text wrap-anywhere">{email}</strong> will get no more emails from{' '}
        {sender ? <span className="text-text wrap-anywhere">{sender}</span> : 'this sender'}.
      </p>
      {may_resubscribe && (
        <form method="post" action={action} className="mt-5 flex flex-wrap items-center gap-3">
          <input type="hidden" name="intent" value="resubscribe" />
          <span className="text-sm text-muted">Was that a mistake?</span>
          <Button type="submit">Subscribe again</Button>
        </form>
      )}
    </Panel>
  )
}
