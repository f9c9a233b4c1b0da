import { MissingState } from '#components/ui/feedback/missing-state'

export default function UnknownLink() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <MissingState
        title="This link does not work"
        description="The link may be incomplete. Open it in the email again, or reply to the email and ask to be unsubscribed."
      />
    </main>
  )
}
