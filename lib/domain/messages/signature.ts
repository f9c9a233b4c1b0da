import { isHtml } from '#lib/domain/messages/html'
import { renderLiquid } from '#lib/domain/messages/liquid'
import { plainRecord } from '#lib/domain/messages/message'

const signatureKind = (signature: string) => (isHtml(signature) ? 'html' : 'text')

/** Why the signature cannot be filled in, in words; null: it can. */
export function signatureProblem(signature: string): string | null {
  const result = renderLiquid(signature, signatureKind(signature), { sender: {} })
  return result.ok ? null : result.failure.message
}

/** The signature with the sender's own fields; a field without a value is left empty and never keeps an email from being sent. */
export function filledSignature(signature: string | null, sender: Record<string, unknown>): string | null {
  if (!signature?.includes('{')) return signature
  const result = renderLiquid(signature, signatureKind(signature), { sender: plainRecord(sender) })
  return result.ok ? result.text.trim() : signature
}
