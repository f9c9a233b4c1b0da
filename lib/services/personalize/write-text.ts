import { findFlags } from '#lib/domain/personalize/evidence'
import type { Flag } from '#lib/domain/personalize/flag'
import type { Claim, Material } from '#lib/domain/personalize/material'
import { dataBlock, INSTRUCTIONS } from '#lib/domain/personalize/prompt'
import type { Tokens, Writer } from '#lib/providers/ai/port'
import { type WriteOutcome, writeOnce } from '#lib/providers/ai/write'

export type Text = { subject: string; body: string; claims: Claim[]; flags: Flag[]; tokens: Tokens }
export type TextOutcome = { outcome: 'written'; text: Text } | Exclude<WriteOutcome, { outcome: 'written' }>

/** Makes one call and checks the text by the rules. A follow-up in a thread has no subject. */
export async function writeText(
  writer: Writer,
  material: Material,
  others: readonly string[],
  abort?: AbortSignal,
): Promise<TextOutcome> {
  const answer = await writeOnce(writer, {
    instructions: INSTRUCTIONS,
    prompt: dataBlock(material),
    ...(abort ? { abort } : {}),
  })
  if (answer.outcome !== 'written') return answer
  const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
  const { form } = material
  const inThread = form ? !form.has_subject : material.template?.subject === ''
  const written = {
    subject: inThread ? '' : clean(answer.written.subject).replace(/\s+/g, ' ').trim(),
    body: clean(answer.written.body).trim(),
    claims: answer.written.claims.map(({ text, cell }) => ({ text: clean(text), cell: clean(cell) })),
  }
  const flags = findFlags(written, material, {
    others,
    subject_needed: !inThread && !form,
    ...(form ? { longest: form.longest } : {}),
  })
  return { outcome: 'written', text: { ...written, flags, tokens: answer.tokens } }
}
