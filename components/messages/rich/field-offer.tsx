'use client'

import type { Editor } from '@tiptap/core'
import { useEffect, useState } from 'react'
import { fittingFields, mergeField } from '../merge-fields.tsx'

export type Offer = { names: string[]; current: number; left: number; top: number; from: number; to: number }

/** What was typed of a field before the caret: one brace is enough. */
function typedBefore(editor: Editor): { name: string; from: number; to: number } | null {
  const { $from, empty } = editor.state.selection
  if (!empty) return null
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 60), $from.parentOffset, ' ', ' ')
  const match = /\{\{?[ \t]*([\w.]*)$/.exec(before)
  return match ? { name: match[1] ?? '', from: $from.pos - match[0].length, to: $from.pos } : null
}

function offered(editor: Editor, fields: string[], frame: HTMLElement): Omit<Offer, 'current'> | null {
  const typed = editor.isFocused ? typedBefore(editor) : null
  if (!typed) return null
  const names = fittingFields(fields, typed.name)
  if (names.length === 0) return null
  const at = editor.view.coordsAtPos(typed.from)
  const box = frame.getBoundingClientRect()
  const left = Math.max(0, Math.min(at.left - box.left, box.width - 232))
  return { names, left, top: at.bottom - box.top + 4, from: typed.from, to: typed.to }
}

/** The fields that fit what is being typed, and the keys that choose among them. */
export function useFieldOffer(editor: Editor | null, fields: string[], frame: () => HTMLElement | null) {
  const [offer, setOffer] = useState<Offer | null>(null)
  useEffect(() => {
    if (!editor) return
    const refresh = () => {
      const box = frame()
      const next = box && offered(editor, fields, box)
      setOffer(next ? { ...next, current: 0 } : null)
    }
    const close = () => setOffer(null)
    editor.on('update', refresh)
    editor.on('blur', close)
    return () => {
      editor.off('update', refresh)
      editor.off('blur', close)
    }
  }, [editor, fields, frame])
  const take = (name: string | undefined) => {
    if (!editor || !offer || !name) return
    setOffer(null)
    const { from, to } = offer
    editor
      .chain()
      .focus()
      .insertContentAt({ from, to }, { type: 'liquid', attrs: { source: mergeField(name) } })
      .run()
  }
  const press = (event: KeyboardEvent): boolean => {
    if (!offer) return false
    const { names, current } = offer
    if (event.key === 'Escape') setOffer(null)
    else if (event.key === 'ArrowDown') setOffer({ ...offer, current: (current + 1) % names.length })
    else if (event.key === 'ArrowUp')
      setOffer({ ...offer, current: (current - 1 + names.length) % names.length })
    else if (event.key === 'Enter' || event.key === 'Tab') take(names[current])
    else return false
    event.preventDefault()
    return true
  }
  return { offer, take, press }
}
