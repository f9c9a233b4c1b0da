import { MissingState } from '#components/ui/feedback/missing-state'

/** The same for every invalid link, so that guessing reveals nothing. */
export default function UnknownReport() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <MissingState
        title="This report is not available"
        description="The link may be incomplete, expired or revoked. Ask whoever sent it for a new one. If you opened it many times, wait a minute."
      />
    </main>
  )
}
