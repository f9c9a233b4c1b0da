import type { LaunchCheck } from '#lib/contracts/campaigns/launch-checks'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { findSuppression } from '#lib/services/leads/suppression-reach'

type Copied = { workspace_id: string; bcc_address: string | null; steps_config: StepConfig[] }
type Found = Omit<LaunchCheck, 'fix'>

/** Reports the hidden copies of a campaign and their effect on tracking. */
export async function copyChecks({
  workspace_id,
  bcc_address,
  steps_config,
}: Copied): Promise<{ warns: Found[]; informs: Found[] }> {
  const mails = steps_config.filter(({ channel }) => channel === 'email')
  if (!bcc_address || mails.length === 0) return { warns: [], informs: [] }
  const listed = await findSuppression(workspace_id, bcc_address)
  if (listed)
    return {
      warns: [
        {
          code: 'bcc_suppressed',
          message: `${bcc_address} gets no copies: ${listed.value} is on the suppression list (${listed.reason}).`,
          step: null,
        },
      ],
      informs: [],
    }
  const isTracked = mails.some(({ track_opens, track_clicks }) => track_opens || track_clicks)
  return {
    warns: isTracked
      ? [
          {
            code: 'bcc_tracked',
            message: `${bcc_address} gets copies of tracked emails. Its opens and clicks count as the lead’s.`,
            step: null,
          },
        ]
      : [],
    informs: [
      {
        code: 'bcc_copies',
        message: `A hidden copy of each email goes to ${bcc_address}. Copies do not count towards limits.`,
        step: null,
      },
    ],
  }
}
