import { MissingState } from '#components/ui/feedback/missing-state'

export default function UnknownLink() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <MissingState
        title="This link no longer works"
        description="It may have expired, or a later email has a newer one. Submit the form again to get a new link."
      />
    </main>
  )
}
