import { Panel } from '#components/ui/layout/panel'

/** For links of senders who erased their account. */
export function SenderGone() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center px-4 py-10">
      <Panel>
        <h1 className="text-lg font-semibold tracking-tight">You get no more mail from this sender</h1>
        <p className="mt-1 text-sm text-pretty text-muted">
          Their account here was erased, and your address with it. There is nothing left to unsubscribe from.
        </p>
      </Panel>
    </main>
  )
}
