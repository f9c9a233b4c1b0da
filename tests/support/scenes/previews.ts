import type { Preview } from '#lib/contracts/campaigns/step-previews'
import { previewStep } from '#lib/services/step-previews/step-previews'

/** The preview, which must be that of a mail. */
export function asMail(preview: Preview) {
  if (preview.channel !== 'email') throw new Error('the preview is of no mail')
  return preview
}

export function asSocial(preview: Preview) {
  if (preview.channel !== 'social') throw new Error('the preview is of no social step')
  return preview
}

export const previewMail = async (...given: Parameters<typeof previewStep>) =>
  asMail(await previewStep(...given))
