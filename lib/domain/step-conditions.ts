export const STEP_CONDITIONS = [
  'always',
  'opened',
  'not_opened',
  'clicked',
  'not_clicked',
  'connected',
  'not_connected',
] as const
export type StepCondition = (typeof STEP_CONDITIONS)[number]

export type Channel = 'email' | 'social'

/** One element of a campaign's `steps_config`, as far as it decides when and whether the step happens. */
export interface StepRule {
  delay_days: number
  channel: Channel
  action_type: string
  condition?: StepCondition | null
  track_clicks?: boolean
}

/** What a lead has done so far in this campaign, by any step of it. */
export interface LeadFacts {
  opened: boolean
  clicked: boolean
  connected: boolean
}

export const NO_FACTS: LeadFacts = { opened: false, clicked: false, connected: false }

/** Whether a step happens for a lead. Asked when the step's slot has come, so an open in the last minute counts. */
export function conditionHolds(condition: StepCondition, facts: LeadFacts): boolean {
  switch (condition) {
    case 'always':
      return true
    case 'opened':
      return facts.opened
    case 'not_opened':
      return !facts.opened
    case 'clicked':
      return facts.clicked
    case 'not_clicked':
      return !facts.clicked
    case 'connected':
      return facts.connected
    case 'not_connected':
      return !facts.connected
  }
}

/** Why a step's condition can never hold, whatever the leads do; null when it can. `index` counts from 0. */
export function neverHolds(steps: readonly StepRule[], index: number): string | null {
  const condition = steps[index]?.condition ?? 'always'
  const before = steps.slice(0, index)
  if (condition === 'opened' && !before.some((step) => step.channel === 'email')) {
    return 'no email goes out before it that could be opened'
  }
  if (condition === 'clicked' && !before.some((step) => step.channel === 'email' && step.track_clicks)) {
    return 'no step before it tracks clicks'
  }
  if (condition === 'connected' && !steps.some((step) => step.channel === 'social')) {
    return 'the campaign has no social step'
  }
  return null
}
