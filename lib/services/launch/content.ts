import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'
import { type ContentFinding, checkContent } from '#lib/domain/messages/content/content-check'
import { withoutFields } from '#lib/domain/messages/content/mail-words'
import type { StepText } from '#lib/services/messages/step-texts'

type Found = Omit<LaunchCheck, 'fix'>

const MOST_WORDS = 5

/** Spam filter findings about the texts as written, by step and variant. */
export function contentFindings(
  { steps_config }: Pick<Campaign, 'steps_config'>,
  texts: StepText[],
  clickHost: string,
): Record<'warns' | 'informs', Found[]> {
  const checks: Record<ContentFinding['severity'], Found[]> = { warns: [], informs: [] }
  for (const { step, label, text, first } of texts) {
    const config = steps_config[step - 1]
    if (!text || config?.channel !== 'email') continue
    const findings = checkContent({
      subject: text.subject === null ? null : withoutFields(text.subject),
      body: withoutFields(text.body),
      is_first: first,
      click_host: config.track_clicks ? clickHost : null,
    })
    const where = label ? `Step ${step}, variant ${label}` : `Step ${step}`
    for (const { code, severity, message, words } of findings) {
      const named =
        words.length > 0
          ? ` (${words.slice(0, MOST_WORDS).join(', ')}${words.length > MOST_WORDS ? '…' : ''})`
          : ''
      checks[severity].push({ code, message: `${where}: ${message}${named}`, step })
    }
  }
  return checks
}
