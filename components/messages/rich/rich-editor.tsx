'use client'

import { Editor } from '@tiptap/core'
import { useContext, useEffect, useEffectEvent, useId, useReducer, useRef, useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { useFieldWiring } from '#components/ui/controls/field'
import { Callout } from '#components/ui/feedback/callout'
import { RichOffer } from '../offered/rich-offer.tsx'
import { OfferedTemplates } from '../offered/source.tsx'
import type { AddressRow } from './address-row.tsx'
import { cleanPaste, partsNotHeld, toEditorHtml } from './editor-html.tsx'
import { toSource } from './rich-source.tsx'
import { extensions } from './schema.tsx'
import { type Asked, Toolbar } from './toolbar.tsx'

export type RichProps = {
  /** HTML with Liquid. */
  value: string
  onChange: (value: string) => void
  fields: string[]
  label: string
  disabled?: boolean | undefined
  /** Passes a function that inserts a merge field at the caret. */
  onReady: (insert: ((source: string) => void) | null) => void
  onFocus: () => void
  toSource: () => void
}

/** Preloaded once somebody writes, so that it opens at once and gets the following keystrokes. */
function useAddressRow() {
  const [Row, setRow] = useState<typeof AddressRow | null>(null)
  const load = () => void import('./address-row.tsx').then((module) => setRow(() => module.AddressRow))
  return { Row, load }
}

/** Asks first if the editor would drop content it does not support. */
export default function RichEditor(props: RichProps) {
  const { 'aria-describedby': describedBy } = useFieldWiring<{
    'aria-describedby'?: string | undefined
    name?: string
  }>({})
  const [parts, setParts] = useState(() => partsNotHeld(props.value))
  if (parts.length === 0) return <Surface {...props} describedBy={describedBy} />
  return (
    <Callout tone="warning" title="The editor does not support all of this HTML">
      <p>It would remove: {parts.slice(0, 8).join(', ')}.</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={props.toSource}>
          Edit the HTML
        </Button>
        <Button size="sm" variant="ghost" onClick={() => setParts([])}>
          Open without them
        </Button>
      </div>
    </Callout>
  )
}

const LOOK =
  'min-h-48 text-lg leading-6 break-words whitespace-break-spaces focus-visible:outline-none sm:text-sm [&>*+*]:mt-3 [&_img]:inline [&_.ProseMirror-selectednode]:outline-2 [&_.ProseMirror-selectednode]:outline-accent-text'

/**
 * Opens the link field; stops the event so that the command menu, which has the same shortcut, does not open.
 */
function opensLink(event: KeyboardEvent, open: () => void): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== 'k') return false
  event.preventDefault()
  event.stopPropagation()
  open()
  return true
}

type WiredProps = RichProps & { describedBy: string | undefined }

function useEditor(place: { current: HTMLElement | null }, props: WiredProps) {
  const { value, fields, disabled } = props
  const [editor, setEditor] = useState<Editor | null>(null)
  const [asked, setAsked] = useState<Asked>(null)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const bar = useRef<HTMLDivElement>(null)
  const emitted = useRef(value)
  const changed = useEffectEvent((html: string) => props.onChange(html))
  const focused = useEffectEvent(() => props.onFocus())
  const ready = useEffectEvent((made: Editor | null) =>
    props.onReady(
      made && ((source) => made.chain().focus().insertContent({ type: 'liquid', attrs: { source } }).run()),
    ),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; what changes is told to it below
  useEffect(() => {
    const made = new Editor({
      element: place.current,
      // The page's policy forbids styles added by scripts; they are in the stylesheet.
      injectCSS: false,
      extensions: extensions({
        fields,
        toToolbar: () => bar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
      }),
      content: toEditorHtml(emitted.current),
      editable: !disabled,
      editorProps: {
        transformPastedHTML: cleanPaste,
        handleKeyDown: (_, event) => opensLink(event, () => setAsked('link')),
      },
    })
    made.on('update', () => {
      emitted.current = made.isEmpty ? '' : toSource(made.getJSON())
      changed(emitted.current)
    })
    made.on('transaction', redraw)
    made.on('focus', () => focused())
    setEditor(made)
    ready(made)
    return () => {
      ready(null)
      made.destroy()
    }
  }, [])
  useEffect(() => {
    if (!editor || value === emitted.current) return
    emitted.current = value
    editor.commands.setContent(toEditorHtml(value), { emitUpdate: false })
  }, [editor, value])
  return { editor, asked, setAsked, bar }
}

/** Accessible name and description of the text. */
const attributesOfText = (id: string, { label, describedBy }: WiredProps) => ({
  id,
  role: 'textbox',
  'aria-multiline': 'true',
  'aria-label': label,
  'aria-autocomplete': 'list',
  ...(describedBy ? { 'aria-describedby': describedBy } : {}),
  class: LOOK,
})

function Surface(props: WiredProps) {
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const { Row, load } = useAddressRow()
  const onFocus = () => {
    load()
    props.onFocus()
  }
  const source = useContext(OfferedTemplates)
  const { editor, asked, setAsked, bar } = useEditor(place, { ...props, onFocus })
  const told = useEffectEvent(() =>
    editor?.setOptions({
      editable: !props.disabled,
      editorProps: { ...editor.options.editorProps, attributes: attributesOfText(id, props) },
    }),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: told anew as one of them changes
  useEffect(() => told(), [editor, props.disabled, props.describedBy])
  return (
    <div
      ref={frame}
      className="relative min-w-0 rounded-sm border border-control bg-surface focus-within:border-accent-text"
    >
      {editor && !props.disabled && (
        <Toolbar
          editor={editor}
          editorId={id}
          bar={bar}
          asked={asked}
          onAsk={(wanted) => {
            load()
            setAsked(wanted)
          }}
        />
      )}
      {Row && editor && asked && !props.disabled && (
        <Row key={asked} editor={editor} asked={asked} onClose={() => setAsked(null)} />
      )}
      <div ref={place} className="min-h-52 px-3 py-2" />
      {editor && <RichOffer frame={frame} fields={props.fields} source={source} editor={editor} />}
    </div>
  )
}
