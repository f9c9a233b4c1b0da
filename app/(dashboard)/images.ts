'use server'

import * as images from '#lib/operations/messages/images'
import { answered, perform } from '../action.ts'

/** An image for a message: where it is shown from now on. */
export async function uploadImage(form: FormData) {
  const made = await answered(() => perform(images.createImage, { body: { file: form.get('file') } }))
  return made.ok ? { ok: true as const, url: made.answer.url } : made
}
