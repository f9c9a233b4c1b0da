'use server'

import * as images from '#lib/operations/messages/images'
import { answered, perform } from '../action.ts'

/** Stores an image for a message and returns its URL. */
export async function uploadImage(form: FormData) {
  const made = await answered(() => perform(images.createImage, { body: { file: form.get('file') } }))
  return made.ok ? { ok: true as const, url: made.answer.url } : made
}
