'use client'

import type { Editor } from '@tiptap/core'
import {
  Bold,
  ImageIcon,
  Italic,
  Link2,
  List,
  ListOrdered,
  type LucideIcon,
  Redo2,
  Undo2,
} from 'lucide-react'
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { IconButton } from '#components/ui/controls/icon-button'

export type Asked = 'link' | 'image' | null

type Props = {
  editor: Editor
  editorId: string
  bar: RefObject<HTMLDivElement | null>
  asked: Asked
  onAsk: (asked: Asked) => void
}

type Tool = { label: string; icon: LucideIcon; run: () => void; isOn?: boolean; isOff?: boolean }

function listTools({ editor, asked, onAsk }: Props): Tool[] {
  const chain = () => editor.chain().focus()
  const can = editor.can()
  return [
    {
      label: 'Bold (Ctrl+B)',
      icon: Bold,
      run: () => chain().toggleBold().run(),
      isOn: editor.isActive('bold'),
    },
    {
      label: 'Italic (Ctrl+I)',
      icon: Italic,
      run: () => chain().toggleItalic().run(),
      isOn: editor.isActive('italic'),
    },
    {
      label: 'Bulleted list',
      icon: List,
      run: () => chain().toggleBulletList().run(),
      isOn: editor.isActive('bulletList'),
    },
    {
      label: 'Numbered list',
      icon: ListOrdered,
      run: () => chain().toggleOrderedList().run(),
      isOn: editor.isActive('orderedList'),
    },
    {
      label: 'Link (Ctrl+K)',
      icon: Link2,
      run: () => onAsk(asked === 'link' ? null : 'link'),
      isOn: editor.isActive('link'),
    },
    { label: 'Image', icon: ImageIcon, run: () => onAsk(asked === 'image' ? null : 'image') },
    { label: 'Undo (Ctrl+Z)', icon: Undo2, run: () => chain().undo().run(), isOff: !can.undo() },
    { label: 'Redo (Ctrl+Y)', icon: Redo2, run: () => chain().redo().run(), isOff: !can.redo() },
  ]
}

/** One tab stop; arrow keys move between tools. */
export function Toolbar(props: Props) {
  const [at, setAt] = useState(0)
  const tools = listTools(props)
  function move(event: KeyboardEvent) {
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tools.length - 1 }[event.key]
    if (event.key === 'Escape') props.editor.commands.focus()
    if (next === undefined) return
    event.preventDefault()
    const place = (next + tools.length) % tools.length
    setAt(place)
    props.bar.current?.querySelectorAll('button')[place]?.focus()
  }
  return (
    <div
      ref={props.bar}
      role="toolbar"
      aria-label="Formatting"
      aria-controls={props.editorId}
      onKeyDown={move}
      className="flex flex-wrap items-center gap-0.5 border-b border-border px-1 py-1"
    >
      {tools.map(({ label, icon: Icon, run, isOn, isOff }, index) => (
        <IconButton
          key={label}
          small
          label={label}
          tabIndex={index === at ? 0 : -1}
          aria-pressed={isOn}
          aria-disabled={isOff}
          className="aria-pressed:bg-accent-subtle aria-pressed:text-accent-text"
          // Keeps the selection in the text.
          onMouseDown={(event) => event.preventDefault()}
          onFocus={() => setAt(index)}
          onClick={() => !isOff && run()}
        >
          <Icon aria-hidden />
        </IconButton>
      ))}
    </div>
  )
}
