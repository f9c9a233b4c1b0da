'use client'

import { createDocument, type Editor } from '@tiptap/core'
import { closeHistory } from '@tiptap/pm/history'
import { type Node, Slice } from '@tiptap/pm/model'
import { type RefObject, useMemo } from 'react'
import { isHtml } from '#lib/domain/messages/html'
import { mergeField } from '../merge-fields.tsx'
import { partsNotHeld, toEditorHtml } from '../rich/editor-html.tsx'
import { plainToSource } from '../rich/rich-source.tsx'
import type { Place } from './place.tsx'
import type { OfferingSource } from './source.tsx'
import { TextOffers } from './text-offers.tsx'
import { typedTemplate } from './typed-template.tsx'

type Props = {
  frame: RefObject<HTMLElement | null>
  fields: readonly string[]
  source: OfferingSource | null
  editor: Editor
}

export function RichOffer({ frame, fields, source, editor }: Props) {
  const place = useMemo(() => createPlace(editor, frame), [editor, frame])
  return <TextOffers {...{ frame, place, fields, source }} />
}

const createPlace = (editor: Editor, frame: Props['frame']): Place => ({
  field: editor.view.dom,
  locate: (letters) => {
    const box = frame.current?.getBoundingClientRect()
    if (!box) return null
    const at = editor.view.coordsAtPos(editor.state.selection.from - letters)
    return { left: at.left - box.left, top: at.bottom - box.top + 4 }
  },
  listen: (heard) => {
    editor.on('update', heard)
    return () => {
      editor.off('update', heard)
    }
  },
  typedField: () => typedField(editor)?.[1] ?? null,
  putField: (name) => {
    const typed = typedField(editor)
    if (!typed) return
    const { from: to } = editor.state.selection
    editor
      .chain()
      .focus()
      .insertContentAt(
        { from: to - typed[0].length, to },
        { type: 'liquid', attrs: { source: mergeField(name) } },
      )
      .run()
  },
  before: () => beforeCaret(editor),
  hold: () => {
    const { from: to } = editor.state.selection
    const typed = typedTemplate(beforeCaret(editor))
    const from = typed === null ? to : to - typed.length - 1
    return async (body) => {
      const source = isHtml(body) ? body : plainToSource(body)
      const parts = partsNotHeld(source)
      if (parts.length > 0)
        return `The editor does not support its ${parts.slice(0, 8).join(', ')}. Choose HTML above the message first.`
      const isThere = typed !== null && textIn(editor, from, to) === `/${typed}`
      put(editor, source, isThere ? { from, to } : editor.state.selection)
      return null
    }
  },
})

/** The merge field being typed before the caret; one brace is enough. */
const typedField = (editor: Editor) => /\{\{?[ \t]*([\w.]*)$/.exec(beforeCaret(editor))

/** A line break counts as whitespace; a field or an image does not. */
const leafText = (node: Node) => (node.type.name === 'hardBreak' ? '\n' : '\ufffc')

function beforeCaret({ state }: Editor): string {
  const { $from, empty } = state.selection
  return empty ? $from.parent.textBetween(0, $from.parentOffset, null, leafText) : ''
}

function textIn({ state: { doc } }: Editor, from: number, to: number): string | null {
  return to <= doc.content.size ? doc.textBetween(from, to, '\n', leafText) : null
}

/**
 * Inserts like pasted text: first and last paragraph merge with the surrounding one. A single Ctrl+Z undoes
 * it.
 */
function put(editor: Editor, source: string, { from, to }: { from: number; to: number }) {
  const { content } = createDocument(toEditorHtml(source), editor.schema)
  const depth = (node: Node | null) => (node?.isTextblock ? 1 : 0)
  const slice = new Slice(content, depth(content.firstChild), depth(content.lastChild))
  editor.view.dispatch(closeHistory(editor.state.tr.replaceRange(from, to, slice)).scrollIntoView())
  editor.commands.focus()
}
