'use client'

import { Paperclip } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { ActingButton, useLock } from '#components/ui/controls/lock'
import type { Attached } from './use-attached.tsx'

type Props = { attached: Attached; button: RefObject<HTMLButtonElement | null> }

/** Selects files; also accepts files dropped on or pasted into the surrounding form. */
export function AttachButton({ attached, button }: Props) {
  const { add, problem } = attached
  const input = useRef<HTMLInputElement>(null)
  const isLocked = useLock() !== null
  useGiven(input, add, isLocked)
  // The form cannot be sent while a file is still uploading.
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem])
  return (
    <>
      <ActingButton ref={button} onClick={() => input.current?.click()} title="Or drop or paste files here">
        <Paperclip aria-hidden /> <span className="max-sm:in-[[data-composer]]:sr-only">Attach</span>
      </ActingButton>
      <input
        ref={input}
        type="file"
        multiple
        disabled={isLocked}
        tabIndex={-1}
        aria-label="Files to attach"
        className="sr-only"
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])])
          // Allows selecting the same file again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Files dropped on or pasted into the form; text is pasted as usual. */
function useGiven(
  input: RefObject<HTMLInputElement | null>,
  add: (files: readonly File[]) => void,
  isLocked: boolean,
) {
  const given = useEffectEvent((files: FileList | undefined) => add([...(files ?? [])]))
  useEffect(() => {
    const form = input.current?.form
    if (!form || isLocked) return
    const mark = (isOver: boolean) => form.toggleAttribute('data-over', isOver)
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      mark(true)
    }
    const left = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) mark(false)
    }
    const dropped = (event: DragEvent) => {
      mark(false)
      if (!event.dataTransfer?.files.length) return
      event.preventDefault()
      given(event.dataTransfer.files)
    }
    const pasted = (event: ClipboardEvent) => {
      const { clipboardData } = event
      // Word puts text and an image of it on the clipboard; the text is meant.
      if (!clipboardData?.files.length || clipboardData.types.includes('text/plain')) return
      event.preventDefault()
      given(clipboardData.files)
    }
    form.addEventListener('dragover', over)
    form.addEventListener('dragleave', left)
    form.addEventListener('drop', dropped)
    form.addEventListener('paste', pasted)
    return () => {
      form.removeEventListener('dragover', over)
      form.removeEventListener('dragleave', left)
      form.removeEventListener('drop', dropped)
      form.removeEventListener('paste', pasted)
    }
  }, [input, isLocked])
}
