import type { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'

type Counted = CampaignAnalytics['steps'][number]
export type StepNumbers = Pick<
  Counted,
  'step' | 'waiting' | 'sent' | 'uncertain' | 'failed' | 'skipped' | 'replied' | 'bounced' | 'unsubscribed'
>
/** The progress of a campaign's leads by step. */
export type Numbers = { total: number; completed: number; steps: StepNumbers[] }

export const count = (value: number) => value.toLocaleString('en')

/** Leads that reached a step: performed, skipped, or waiting for it. */
export const reachedBy = (step: StepNumbers): number =>
  step.waiting + step.sent + step.uncertain + step.failed + step.skipped

export const sentBy = ({ sent, uncertain }: StepNumbers): number => sent + uncertain

/** The ways leads leave a sequence, in display order. */
export function leftAfter(step: StepNumbers): { what: string; count: number; tone: string }[] {
  return [
    { what: 'replied', count: step.replied, tone: 'text-success' },
    { what: 'bounced', count: step.bounced, tone: 'text-danger' },
    { what: 'unsubscribed', count: step.unsubscribed, tone: 'text-warning' },
    { what: 'failed', count: step.failed, tone: 'text-danger' },
  ].filter((one) => one.count > 0)
}

/** A step's numbers in one sentence, for screen readers. */
export function spokenNumbers(step: StepNumbers): string {
  const parts = [
    `${count(reachedBy(step))} reached`,
    `${count(sentBy(step))} sent`,
    ...leftAfter(step).map((one) => `${count(one.count)} ${one.what}`),
    ...(step.skipped > 0 ? [`${count(step.skipped)} skipped`] : []),
    `${count(step.waiting)} waiting`,
  ]
  return parts.join(', ')
}
