import { keepDraft, readDraft } from '#components/drafts/store'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import type { MessageTemplate } from '#lib/domain/messages/template'

/** A step with the texts of its templates, which may not exist where it is pasted. */
type Copied = { step: StepConfig; texts: Record<string, MessageTemplate> }

/**
 * Stored in this browser like drafts, so that steps can be copied between campaigns until another user signs
 * in.
 */
export function copyStep(key: string, step: StepConfig, templates: StepTemplate[]): void {
  const named = new Set(step.variants.map(({ template_id }) => template_id))
  const texts = Object.fromEntries(
    templates.flatMap(({ template_id, content }) => (named.has(template_id) ? [[template_id, content]] : [])),
  )
  const mine: Copied = { step, texts }
  keepDraft(key, { at: new Date().toISOString(), base: null, version: null, mine })
}

type Known = { templates: { template_id: string }[]; profiles: { id: string | null }[] }

/**
 * The copied step adapted to this campaign: keeps known references, and uses the texts of unknown templates.
 */
export function copiedStep(key: string, known: Known): StepConfig | null {
  const copied = readDraft<Copied>(key)?.mine
  return copied ? fitted(copied, known) : null
}

export function fitted({ step, texts }: Copied, { templates, profiles }: Known): StepConfig {
  const isTemplate = (id: string) => templates.some(({ template_id }) => template_id === id)
  const variants = step.variants.map((variant) => {
    const { template_id, sender_profile_id } = variant
    const own = profiles.some(({ id }) => id !== null && id === sender_profile_id) ? sender_profile_id : null
    if (template_id === null || isTemplate(template_id)) return { ...variant, sender_profile_id: own }
    const words = texts[template_id]
    return {
      ...variant,
      sender_profile_id: own,
      template_id: null,
      ...(words ? { subject: words.subject ?? '', message_template: words.body } : {}),
    }
  })
  return { ...step, variants }
}
