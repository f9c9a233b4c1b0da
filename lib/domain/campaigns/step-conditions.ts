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

/** One element of a campaign's `steps_config`, reduced to what decides when and whether the step is performed. */
export interface StepRule {
  delay_days: number
  channel: Channel
  action_type: string
  condition?: StepCondition | null
  track_clicks?: boolean
  track_opens?: boolean
}

/**
 * What a lead has done so far in this campaign, in response to any step; actions of machines do not count. A click counts as an
 * open too, even if no image was fetched.
 */
export interface LeadFacts {
  opened: boolean
  clicked: boolean
  /** Null: the network has not been asked yet; then the step is started and the condition is checked just before its offer. */
  connected: boolean | null
}

export const NO_FACTS: LeadFacts = { opened: false, clicked: false, connected: false }

/** Whether a step is performed for a lead. Checked when the step's slot has come, so an open in the last minute counts. */
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
      return facts.connected ?? true
    case 'not_connected':
      return !(facts.connected ?? false)
  }
}

const isTracked = (step: StepRule) => step.channel === 'email' && (step.track_opens || step.track_clicks)

/**
 * Why a step's condition holds for every lead, because it asks for something that is not measured; null otherwise. `index`
 * counts from 0.
 */
export function alwaysHolds(steps: readonly StepRule[], index: number): string | null {
  const condition = steps[index]?.condition ?? 'always'
  const before = steps.slice(0, index)
  if (condition === 'not_opened' && !before.some(isTracked)) return 'no earlier email tracks opens or clicks'
  if (condition === 'not_clicked' && !before.some((step) => step.channel === 'email' && step.track_clicks))
    return 'no earlier email tracks clicks'
  return null
}

/** Whether any step's condition depends on what leads did with their emails. */
export const asksForFacts = (steps: readonly StepRule[]): boolean =>
  steps.some(({ condition }) => /opened|clicked/.test(condition ?? ''))

/** Whether any step's condition depends on the accounts' relation to leads. */
export const asksForRelation = (steps: readonly StepRule[]): boolean =>
  steps.some(({ condition }) => /connected/.test(condition ?? ''))

/** Why a step's condition can never hold, whatever the leads do; null if it can. `index` counts from 0. */
export function neverHolds(steps: readonly StepRule[], index: number): string | null {
  const condition = steps[index]?.condition ?? 'always'
  const before = steps.slice(0, index)
  if (condition === 'opened' && !before.some(isTracked)) {
    return 'no earlier email tracks opens or clicks'
  }
  if (condition === 'clicked' && !before.some((step) => step.channel === 'email' && step.track_clicks)) {
    return 'no earlier step tracks clicks'
  }
  if (condition === 'connected' && !steps.some((step) => step.channel === 'social')) {
    return 'the campaign has no social step'
  }
  return null
}
