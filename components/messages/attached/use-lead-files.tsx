'use client'

import { useRef, useState } from 'react'
import { attachmentName } from '#lib/domain/messages/attached/filename'
import { fileKey, MOST_LEAD_FILES } from '#lib/domain/messages/attached/lead-file'
import type { KeptLeadFiles } from './kept-lead-files.tsx'
import { type AttachActs, attachOne, refusal } from './use-attached.tsx'

type Failed = { filename: string; message: string }
/** How many of the selected files are uploaded, and the progress of the current one. */
type Sending = { done: number; all: number; percent: number }

/** Each file takes two requests, and a user may make about two per second. */
const PACE_MS = 1_050

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Uploads files one after the other; a file replaces an existing one with the same name. */
export function useLeadFiles(acts: AttachActs, begun: KeptLeadFiles) {
  const [state, setState] = useState(begun)
  const [failed, setFailed] = useState<Failed[]>([])
  const [sending, setSending] = useState<Sending | null>(null)
  const waiting = useRef<File[]>([])
  const isRunning = useRef(false)

  const change = (changes: Partial<KeptLeadFiles>) => setState((was) => ({ ...was, ...changes }))
  const fail = (file: File, message: string) =>
    setFailed((was) => [...was, { filename: attachmentName(file.name), message }])

  async function sendOne(file: File, onProgress: (percent: number) => void) {
    const refused = refusal(file)
    if (refused) return fail(file, refused)
    const [kept] = await Promise.all([attachOne(acts, file, onProgress), wait(PACE_MS)])
    if (!kept.ok) return fail(file, kept.message)
    const isOther = ({ filename }: { filename: string }) => fileKey(filename) !== fileKey(kept.file.filename)
    setState((was) => ({ ...was, files: [...was.files.filter(isOther), kept.file] }))
  }

  async function add(files: readonly File[]) {
    waiting.current.push(...files)
    setFailed([])
    if (isRunning.current) return
    isRunning.current = true
    let done = 0
    for (let file = waiting.current.shift(); file; file = waiting.current.shift()) {
      const all = done + 1 + waiting.current.length
      const tell = (percent: number) => setSending({ done, all, percent })
      tell(0)
      await sendOne(file, tell)
      done += 1
    }
    isRunning.current = false
    setSending(null)
  }

  return {
    ...state,
    failed,
    sending,
    change,
    add: (files: readonly File[]) => void add(files),
    remove: (id: string) =>
      setState((was) => ({ ...was, files: was.files.filter(({ attachment_id }) => attachment_id !== id) })),
    forgive: () => setFailed([]),
    problem: findProblem(state, failed, sending),
  }
}

function findProblem({ column, files }: KeptLeadFiles, failed: Failed[], sending: Sending | null) {
  if (sending) return 'Wait until the files have uploaded.'
  if (failed.length > 0)
    return 'Some files could not be uploaded. Choose them again, or continue without them.'
  if (files.length > MOST_LEAD_FILES) return `At most ${MOST_LEAD_FILES} lead files.`
  return files.length > 0 && column.trim() === '' ? 'Choose the column with the file names.' : null
}
