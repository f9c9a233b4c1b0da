'use client'

import type { Editor } from '@tiptap/core'
import { type KeyboardEvent, useId, useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { Input } from '#components/ui/controls/input'
import { isSafeUrl } from '#lib/domain/messages/html'
import { ImageUpload } from './image-upload.tsx'

const ROW = 'flex flex-wrap items-center gap-2 border-b border-border bg-sunken px-2 py-2'

type Props = { editor: Editor; asked: 'link' | 'image'; onClose: () => void }

/** Completes a bare host name to a URL. */
function toAddress(typed: string): string {
  const text = typed.trim()
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return `mailto:${text}`
  return text === '' || /^([a-z][a-z0-9+.-]*:|\/|#|\{)/i.test(text) ? text : `https://${text}`
}

/** Links the selected words or changes the link at the cursor; otherwise inserts the URL as text. */
function putLink(editor: Editor, href: string) {
  const chain = editor.chain().focus()
  if (editor.state.selection.empty && !editor.isActive('link'))
    chain
      .insertContent({
        type: 'text',
        text: href.replace(/^mailto:/, ''),
        marks: [{ type: 'link', attrs: { href } }],
      })
      .run()
  else chain.extendMarkRange('link').setMark('link', { href }).run()
}

const currentLink = (editor: Editor) => String(editor.getAttributes('link').href ?? '')

/** Asks for the URL of a link or an image, below the toolbar. */
export function AddressRow({ editor, asked, onClose }: Props) {
  const id = useId()
  const isLink = asked === 'link'
  const [address, setAddress] = useState(() => (isLink ? currentLink(editor) : ''))
  const [words, setWords] = useState('')
  const hadLink = isLink && editor.isActive('link')
  const url = toAddress(address)
  const isRefused = url !== '' && !(isLink ? isSafeUrl(url) : /^(https?:|\{|\/)/i.test(url))

  function apply() {
    if (url === '' || isRefused) return
    if (isLink) putLink(editor, url)
    else
      editor
        .chain()
        .focus()
        .insertContent({ type: 'image', attrs: { src: url, alt: words.trim() } })
        .run()
    onClose()
  }
  function remove() {
    editor.chain().focus().extendMarkRange('link').unsetMark('link').run()
    onClose()
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'Enter') apply()
    else if (event.key === 'Escape') {
      onClose()
      editor.commands.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <fieldset
      className={isLink ? ROW : `${ROW} sm:grid sm:grid-cols-[minmax(0,1fr)_auto]`}
      onKeyDown={press}
      aria-label={isLink ? 'Link' : 'Image'}
    >
      <label htmlFor={id} className="sr-only">
        {isLink ? 'Link URL' : 'Image URL'}
      </label>
      <Input
        id={id}
        autoFocus
        className={isLink ? 'min-w-40 flex-1' : 'min-w-60 flex-1 sm:min-w-0'}
        placeholder={isLink ? 'https://example.com or {{ website }}' : 'https://example.com/chart.png'}
        value={address}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? `${id}-refused` : undefined}
        onChange={(event) => setAddress(event.target.value)}
      />
      {!isLink && <ImageParts words={words} onWords={setWords} onUploaded={setAddress} />}
      <Button size="sm" onClick={apply} disabled={url === '' || isRefused}>
        {isLink ? 'Set link' : 'Insert image'}
      </Button>
      {hadLink && (
        <Button size="sm" variant="ghost" onClick={remove}>
          Remove
        </Button>
      )}
      {isRefused && <Refusal id={`${id}-refused`} isLink={isLink} />}
    </fieldset>
  )
}

type ImageProps = { words: string; onWords: (words: string) => void; onUploaded: (url: string) => void }

function ImageParts({ words, onWords, onUploaded }: ImageProps) {
  const [unsent, setUnsent] = useState<string | null>(null)
  return (
    <>
      <ImageUpload onUploaded={onUploaded} onRefused={setUnsent} />
      <Words value={words} onChange={onWords} />
      {unsent && (
        <p role="alert" className="order-last col-span-full w-full text-sm text-danger">
          {unsent}
        </p>
      )}
    </>
  )
}

function Words({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Input
      aria-label="Alt text: what the image shows"
      className="col-start-1 min-w-40 flex-1 sm:min-w-0"
      placeholder="What it shows"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function Refusal({ id, isLink }: { id: string; isLink: boolean }) {
  return (
    <p id={id} role="alert" className="order-last col-span-full w-full text-sm text-danger">
      {isLink ? 'Use an https, http, mailto or tel link.' : 'Use an https or http image.'}
    </p>
  )
}
