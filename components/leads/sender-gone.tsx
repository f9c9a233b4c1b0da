import { Panel } from '#components/ui/layout/panel'

/** Shown for links of senders who deleted their account. */
export function SenderGone() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center px-4 py-10">
      <Panel>
        <h1 className="text-lg font-semibold tracking-tight">You will get no more emails from this sender</h1>
        <p className="mt-1 text-sm text-pretty text-muted">
          Their account and your address were deleted. You do not have to unsubscribe.
        </p>
      </Panel>
    </main>
  )
}
