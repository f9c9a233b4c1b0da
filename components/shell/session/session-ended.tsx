import { Button, buttonClass } from '#components/ui/controls/button'
import { Dialog } from '#components/ui/overlays/dialog'

type Props = {
  /** URL of the sign-in page. */
  signIn: string
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  goOn: () => void
}

/** A dialog shown when the session has ended, and a line that stays when the dialog is closed. */
export function SessionEnded({ signIn, isOpen, setOpen, goOn }: Props) {
  return (
    <>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Your session has ended"
        description="Nothing you typed is lost. Sign in in another tab and come back. Your last action continues automatically."
        footer={
          <>
            <Button onClick={goOn}>Try again</Button>
            <a href={signIn} target="_blank" rel="noopener" className={buttonClass({ variant: 'primary' })}>
              Sign in in a new tab
            </a>
          </>
        }
      />
      {!isOpen && (
        <p className="fixed inset-x-0 top-0 z-40 mx-auto flex w-fit max-w-full items-center gap-3 rounded-b-md border border-warning-border bg-warning-subtle px-4 py-2 text-sm text-text shadow-raised">
          Your session has ended; nothing is saved until you sign in.
          <Button size="sm" onClick={() => setOpen(true)}>
            Sign in
          </Button>
        </p>
      )}
    </>
  )
}
