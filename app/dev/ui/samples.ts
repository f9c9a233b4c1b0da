'use server'

import type { FormResult } from '#components/ui/action-form'

/** A server action that refuses a name without a vowel, to show the error states of a form. */
export async function saveSample(_previous: FormResult | null, data: FormData): Promise<FormResult> {
  const name = String(data.get('name') ?? '')
  await new Promise((done) => setTimeout(done, 600))
  if (/[aeiou]/i.test(name)) return { ok: true, message: `Saved ${name}` }
  return { ok: false, message: 'Nothing was saved.', fields: { name: 'A name needs at least one vowel.' } }
}

export async function actSample(): Promise<FormResult> {
  return { ok: true, message: 'Campaign paused' }
}

export async function failSample(): Promise<FormResult> {
  return { ok: false, message: 'Only a running campaign can be paused.' }
}
