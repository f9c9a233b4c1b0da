'use client'

import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { placeFocus } from '../controls/placed-focus.ts'
import { HoldDialog } from './hold-dialog.tsx'

type Props = {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** `drawer` is at the right edge with full height, for reading beside a list. */
  look?: 'dialog' | 'drawer'
  wide?: boolean
  /** For content shown only once: Esc or a click outside do not close it, only a button in it does. */
  onlyByButton?: boolean
  children?: ReactNode
  footer?: ReactNode
}

const FIRST_TARGET =
  '[data-body] :is(input, select, textarea, button, a):not([type=hidden], [hidden], [tabindex="-1"], :disabled), footer button'

// The browser would focus the close button; the first field or decision is more useful.
function placeInside(element: HTMLDialogElement) {
  const first = element.querySelector<HTMLElement>(FIRST_TARGET)
  if (first) placeFocus(first)
}

function show(element: HTMLDialogElement) {
  element.showModal()
  placeInside(element)
}

type Modal = Pick<Props, 'isOpen' | 'onClose' | 'onlyByButton'> & { stays: boolean }

/** Opens a native modal and closes it with its page; `closed` handles its close event. */
function useModal({ isOpen, onClose, onlyByButton, stays }: Modal) {
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    const element = dialog.current
    if (!isOpen && element?.open) element.close()
    if (isOpen && element && !element.open) show(element)
  }, [isOpen])

  // Content shown only once replaces the form that created it, and with it the button that had the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is when it comes to be shown
  useEffect(() => {
    const element = dialog.current
    if (element?.open && document.activeElement === document.body) placeInside(element)
  }, [onlyByButton])

  const wasHidden = useRef(false)
  const isClosedHere = useRef(false)
  const shownAgain = useEffectEvent(() => {
    if (wasHidden.current && isOpen && dialog.current) show(dialog.current)
    wasHidden.current = false
  })
  // The browser restores the focus when a dialog is closed, not when it is removed. A page waiting for
  // streamed content hides its elements; an open dialog then comes back although nobody closed it.
  useLayoutEffect(() => {
    const element = dialog.current
    shownAgain()
    return () => {
      if (!element?.open) return
      wasHidden.current = true
      isClosedHere.current = true
      element.close()
    }
  }, [])
  const closed = () => {
    const byPage = isClosedHere.current
    isClosedHere.current = false
    if (byPage) return
    // Browsers close a dialog on the second Esc, whatever the page does.
    if (stays && isOpen && dialog.current) show(dialog.current)
    else onClose()
  }
  return { dialog, closed }
}

/**
 * The native modal dialog: the page behind is inert, Esc closes it, the focus returns. Needs no library. Its
 * content exists only while it is open.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  look = 'dialog',
  wide,
  onlyByButton = false,
  children,
  footer,
}: Props) {
  const [isHeld, setHeld] = useState(false)
  const stays = onlyByButton || isHeld
  const { dialog, closed } = useModal({ isOpen, onClose, onlyByButton, stays })
  const id = useId()

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop is a second way; Esc is the keyboard's
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onClose={closed}
      onCancel={(event) => stays && event.target === event.currentTarget && event.preventDefault()}
      onClick={(event) => event.target === event.currentTarget && !stays && onClose()}
      className={clsx(
        // Resets text styles, since a dialog may be rendered inside a table cell.
        'bg-raised p-0 text-left font-normal whitespace-normal text-text shadow-raised open:animate-enter',
        look === 'dialog' &&
          'm-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] rounded-lg open:flex open:flex-col',
        look === 'dialog' && (wide ? 'max-w-3xl' : 'max-w-md'),
        look === 'drawer' && 'mr-0 ml-auto h-dvh max-h-dvh w-full max-w-lg open:flex open:flex-col',
      )}
    >
      {isOpen && (
        <HoldDialog value={setHeld}>
          <Head {...{ id, title, description, isHeld }} onClose={onlyByButton ? null : onClose} />
          {/* A dialog with a question only needs no space below it. */}
          <div data-body className="min-h-0 flex-1 overflow-y-auto px-5 py-4 empty:pb-0">
            {children}
          </div>
          {footer && (
            <footer className="flex justify-end gap-2 border-t border-border px-5 py-3">{footer}</footer>
          )}
        </HoldDialog>
      )}
    </dialog>
  )
}

function Head({
  id,
  title,
  description,
  isHeld,
  onClose,
}: Pick<Props, 'title' | 'description'> & { id: string; isHeld: boolean; onClose: (() => void) | null }) {
  return (
    <header className="flex items-start justify-between gap-4 px-5 pt-4">
      <div className="min-w-0 pt-1">
        <h2 id={`${id}-title`} className="font-semibold wrap-anywhere">
          {title}
        </h2>
        {description && (
          <p id={`${id}-description`} className="mt-1 text-sm wrap-anywhere text-muted">
            {description}
          </p>
        )}
      </div>
      {onClose && (
        <IconButton small label="Close" aria-disabled={isHeld} onClick={onClose}>
          <X />
        </IconButton>
      )}
    </header>
  )
}
