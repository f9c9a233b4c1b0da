import { ErrorState } from '#components/ui/feedback/error-state'

export default function UnknownLink() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <ErrorState
        isMissing
        title="This link does not work"
        description="The link may be incomplete. Open it in the email again, or reply to the email and ask to be unsubscribed."
      />
    </main>
  )
}
