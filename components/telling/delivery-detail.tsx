import { Send } from 'lucide-react'
import { DeliveryStatus } from '#components/telling/webhook-status'
import { CodeBlock } from '#components/ui/code-block'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { ZonedTime } from '#components/ui/zoned-time'
import type { OneDelivery } from '#lib/contracts/telling/webhooks'

type Props = {
  delivery: OneDelivery
  zone: string
  isEnabled: boolean
  redeliver: () => Promise<FormResult>
}

export function DeliveryDetail({ delivery, zone, isEnabled, redeliver }: Props) {
  const { status, attempts, request_body, event_id, next_attempt_at } = delivery
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-2">
          <DeliveryStatus status={status} tried={attempts.length > 0} />
          {next_attempt_at && (
            <span className="text-muted">
              next <ZonedTime at={next_attempt_at} zone={zone} /> ({zone})
            </span>
          )}
        </span>
        <ActionButton size="sm" act={redeliver} disabled={!isEnabled}>
          <Send aria-hidden /> Deliver again
        </ActionButton>
      </div>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h3 className="font-medium">Attempts</h3>
        {attempts.length === 0 && <p className="text-muted">None yet.</p>}
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {attempts.toReversed().map((attempt) => (
            <li key={attempt.at} className="grid grid-cols-[minmax(0,1fr)] gap-1">
              <p className="flex flex-wrap justify-between gap-x-3">
                <span>
                  <ZonedTime at={attempt.at} zone={zone} />
                </span>
                <span className="text-muted">
                  {attempt.status_code ?? 'no answer'} · {attempt.duration_ms.toLocaleString('en')} ms
                </span>
              </p>
              {attempt.error && <p className="text-danger wrap-anywhere">{attempt.error}</p>}
              {attempt.response && <CodeBlock label="Answer" code={attempt.response} />}
            </li>
          ))}
        </ol>
      </section>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h3 className="font-medium">Body</h3>
        <CodeBlock label="Body" code={JSON.stringify(JSON.parse(request_body), null, 2)} />
        <p className="text-muted wrap-anywhere">
          <code className="font-mono text-xs">webhook-id: {event_id}</code>, the same on every attempt.
        </p>
      </section>
    </div>
  )
}
