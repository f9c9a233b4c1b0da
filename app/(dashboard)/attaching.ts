'use server'

import type { AttachAnswer } from '#components/messages/attached/use-attached'
import * as uploads from '#lib/operations/datasets/uploads'
import * as attachments from '#lib/operations/messages/attachments'
import { answered, perform } from '../action.ts'

/** The address to which an attachment is uploaded. */
export async function startAttaching(file: { filename: string; size_bytes: number }) {
  const made = await answered(() => perform(uploads.createUpload, { body: file }))
  return made.ok ? { ok: true as const, upload: made.answer } : made
}

/** Checks an uploaded file and stores it as an attachment. */
export async function keepAttached(upload_id: string): Promise<AttachAnswer> {
  const made = await answered(() =>
    perform(attachments.createAttachmentFromUpload, { params: { upload_id } }),
  )
  if (!made.ok) return made
  const { attachment_id, filename, content_type, size_bytes } = made.answer
  return { ok: true, file: { attachment_id, filename, content_type, size_bytes } }
}
