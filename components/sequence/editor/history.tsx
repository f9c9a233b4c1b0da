import { Redo2, Undo2 } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { IconButton } from '#components/ui/controls/icon-button'
import type { Sequence, SequenceAct } from '../use-sequence.tsx'

type Props = { sequence: Sequence; dispatch: (act: SequenceAct) => void }

/** Undo and redo by button and key; while typing, the keys belong to the text field. */
export function History({ sequence: { past, future }, dispatch }: Props) {
  const byKeyboard = useEffectEvent((event: KeyboardEvent) => {
    const act = toAct(event)
    if (!act || isWriting(event.target) || document.querySelector('dialog[open]')) return
    event.preventDefault()
    dispatch({ act })
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => byKeyboard(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <span className="ml-auto flex gap-1">
      <IconButton
        label="Undo"
        aria-keyshortcuts="Control+Z Meta+Z"
        aria-disabled={past.length === 0}
        onClick={() => dispatch({ act: 'undo' })}
      >
        <Undo2 />
      </IconButton>
      <IconButton
        label="Redo"
        aria-keyshortcuts="Control+Y Meta+Shift+Z"
        aria-disabled={future.length === 0}
        onClick={() => dispatch({ act: 'redo' })}
      >
        <Redo2 />
      </IconButton>
    </span>
  )
}

function toAct({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | null {
  if (!(ctrlKey || metaKey) || altKey) return null
  const letter = key.toLowerCase()
  if (letter === 'z') return shiftKey ? 'redo' : 'undo'
  return letter === 'y' ? 'redo' : null
}

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
