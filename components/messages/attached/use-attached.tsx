'use client'

import { useEffectEvent, useRef, useState } from 'react'
import type { AttachedFile } from '#lib/contracts/messages/attachments'
import { attachmentName } from '#lib/domain/messages/attached/filename'
import { ATTACHMENT_BYTES, attachedProblem, MOST_ATTACHMENTS } from '#lib/domain/messages/attached/limits'
import { refusedName } from '#lib/domain/messages/attached/refused-names'
import { sizeWords } from '#lib/domain/text/size-words'
import { putFile } from '../../datasets/put-file.ts'

export type AttachAnswer = { ok: true; file: AttachedFile } | { ok: false; message: string }
type Address = { upload_id: string; method: string; url: string; headers: Record<string, string> }

export type AttachActs = {
  /** Creates the address to which a file is uploaded. */
  start: (file: {
    filename: string
    size_bytes: number
  }) => Promise<{ ok: true; upload: Address } | { ok: false; message: string }>
  /** Confirms the upload. */
  keep: (upload_id: string) => Promise<AttachAnswer>
}

/** One attachment of an email being written: uploading, stored or refused. */
export type Item = {
  key: string
  filename: string
  size_bytes: number
  /** Percentage uploaded; null once it is stored or refused. */
  percent: number | null
  attachment_id: string | null
  error: string | null
  content_type: string
}

const UNSENT = 'The upload failed. Check your connection and try again.'

const toItem = (file: AttachedFile): Item => ({
  ...file,
  key: file.attachment_id,
  percent: null,
  error: null,
})

/** Uploads a file and has it checked; failures are returned, never thrown. */
export async function attachOne(
  acts: AttachActs,
  file: File,
  onProgress: (percent: number) => void,
): Promise<AttachAnswer> {
  try {
    const made = await acts.start({ filename: file.name || 'file', size_bytes: file.size })
    if (!made.ok) return made
    const isSent = await putFile(file, made.upload, onProgress)
    return isSent ? await acts.keep(made.upload.upload_id) : { ok: false, message: UNSENT }
  } catch {
    return { ok: false, message: UNSENT }
  }
}

/** The server's likely refusal, checked before uploading. */
export function refusal({ name, size }: File): string | null {
  if (size === 0) return 'The file is empty.'
  if (size > ATTACHMENT_BYTES)
    return `It is larger than ${sizeWords(ATTACHMENT_BYTES)}. Share a link instead.`
  return refusedName(attachmentName(name))
}

export const isThere = (item: Item): item is Item & { attachment_id: string } => item.attachment_id !== null

/** The attachments of a form; resets to `begun` when `basis` changes. */
export function useAttached(acts: AttachActs | null, basis: string, begun: readonly AttachedFile[]) {
  const [state, setState] = useState({ basis, items: begun.map(toItem) })
  const count = useRef(0)
  if (state.basis !== basis) setState({ basis, items: begun.map(toItem) })
  const { items } = state
  const setItems = (next: (items: Item[]) => Item[]) =>
    setState((was) => ({ ...was, items: next(was.items) }))
  const change = (key: string, changes: Partial<Item>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...changes } : item)))

  async function send(key: string, file: File) {
    if (!acts) return
    const kept = await attachOne(acts, file, (percent) => change(key, { percent }))
    change(key, { percent: null, ...(kept.ok ? kept.file : { error: kept.message }) })
  }

  const add = useEffectEvent((files: readonly File[]) => {
    for (const [index, file] of files.entries()) {
      const key = `new-${++count.current}`
      const tooMany =
        items.length + index >= MOST_ATTACHMENTS && `An email can have ${MOST_ATTACHMENTS} files.`
      const error = refusal(file) ?? (tooMany || null)
      const item = {
        key,
        filename: attachmentName(file.name),
        size_bytes: file.size,
        content_type: file.type,
      }
      setItems((all) => [...all, { ...item, attachment_id: null, error, percent: error ? null : 0 }])
      if (!error) void send(key, file)
    }
  })

  return {
    items,
    /** Why the form cannot be sent as it is. */
    problem: findProblem(items),
    add: (files: readonly File[]) => add(files),
    remove: (key: string) => setItems((all) => all.filter((item) => item.key !== key)),
    replace: (files: readonly AttachedFile[]) => setItems(() => files.map(toItem)),
    reset: () => setItems(() => begun.map(toItem)),
  }
}
export type Attached = ReturnType<typeof useAttached>

function findProblem(items: readonly Item[]): string | null {
  if (items.some(({ percent }) => percent !== null)) return 'Wait until the files have uploaded.'
  if (items.some(({ error }) => error)) return 'Remove the files that could not be attached.'
  return attachedProblem(items)
}
