'use client'

import { clsx } from 'clsx'
import { Upload } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { sizeWords } from '#lib/domain/text/size-words'

type Props = {
  name: string
  label: string
  hint: string
  accept: string
  onFile?: (file: File | null) => void
}

/** A file input with a large target for click, drop or keyboard. It is a normal control of its form. */
export function FileDrop({ name, label, hint, accept, onFile }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [file, setFile] = useState<File | null>(null)

  function choose(chosen: File | null) {
    setFile(chosen)
    onFile?.(chosen)
  }

  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!input.current || !event.dataTransfer.files[0]) return
        input.current.files = event.dataTransfer.files
        choose(event.dataTransfer.files[0])
      }}
      className={clsx(
        'flex flex-col items-center gap-1 rounded-md border border-dashed px-6 py-12 text-center text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent-text',
        isOver ? 'border-accent-text bg-accent-subtle' : 'border-control bg-surface hover:bg-hover',
      )}
    >
      <Upload aria-hidden className="mb-2 size-5 text-muted" />
      <span className="font-medium">{file ? file.name : label}</span>
      <span className="text-muted">{file ? `${sizeWords(file.size)} · choose another` : hint}</span>
      <input
        ref={input}
        id={id}
        type="file"
        name={name}
        accept={accept}
        className="sr-only"
        onChange={(event) => choose(event.target.files?.[0] ?? null)}
      />
    </label>
  )
}
