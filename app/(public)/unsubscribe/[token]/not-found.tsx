import { ErrorState } from '#components/ui/feedback/error-state'

export default function UnknownLink() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <ErrorState
        isMissing
        title="This link leads nowhere"
        description="It may have been cut off on its way. Open the link in the mail again, or answer the mail and say that you want no more of them."
      />
    </main>
  )
}
