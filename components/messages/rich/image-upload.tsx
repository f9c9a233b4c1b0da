'use client'

import { useContext, useId, useState } from 'react'
import { buttonClass } from '#components/ui/controls/button'
import { Uploads } from './uploads.tsx'

const UNSENT = 'The upload failed. Check your connection and try again.'

type Props = { onUploaded: (url: string) => void; onRefused: (why: string | null) => void }

/** Uploads a file and returns the URL at which it is shown; renders nothing if uploads are unavailable. */
export function ImageUpload({ onUploaded, onRefused }: Props) {
  const id = useId()
  const upload = useContext(Uploads)
  const [busy, setBusy] = useState(false)
  if (!upload) return null
  async function take(file: File | undefined) {
    if (!upload || !file) return
    setBusy(true)
    onRefused(null)
    const form = new FormData()
    form.set('file', file)
    const answer = await upload(form).catch(() => ({ ok: false as const, message: UNSENT }))
    setBusy(false)
    if (answer.ok) onUploaded(answer.url)
    else onRefused(answer.message)
  }
  return (
    <>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/gif"
        aria-busy={busy}
        aria-disabled={busy}
        onClick={(event) => busy && event.preventDefault()}
        className="peer sr-only"
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <label
        htmlFor={id}
        className={`${buttonClass({ variant: 'secondary', size: 'sm' })} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-accent-text peer-aria-disabled:opacity-60`}
      >
        {busy ? 'Uploading…' : 'Upload an image'}
      </label>
    </>
  )
}
