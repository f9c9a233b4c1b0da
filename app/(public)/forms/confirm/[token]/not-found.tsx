import { ErrorState } from '#components/ui/feedback/error-state'

export default function UnknownLink() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <ErrorState
        isMissing
        title="This link no longer works"
        description="It may have expired, or a later email has a newer one. Send the form again to get a new link."
      />
    </main>
  )
}
