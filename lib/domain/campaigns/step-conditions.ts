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
  track_opens?: boolean
}

/**
 * What a lead has done so far in this campaign, by any step of it; machines do not count. Whoever clicked has opened too,
 * also where no image was fetched.
 */
export interface LeadFacts {
  opened: boolean
  clicked: boolean
  /** Null: nobody has asked the network yet; then the step is taken up and judged just before its offer. */
  connected: boolean | null
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
      return facts.connected ?? true
    case 'not_connected':
      return !(facts.connected ?? false)
  }
}

const isTracked = (step: StepRule) => step.channel === 'email' && (step.track_opens || step.track_clicks)

/** A condition that asks for what nobody measures holds for every lead; null for all others. `index` counts from 0. */
export function alwaysHolds(steps: readonly StepRule[], index: number): string | null {
  const condition = steps[index]?.condition ?? 'always'
  const before = steps.slice(0, index)
  if (condition === 'not_opened' && !before.some(isTracked)) return 'no earlier email tracks opens or clicks'
  if (condition === 'not_clicked' && !before.some((step) => step.channel === 'email' && step.track_clicks))
    return 'no earlier email tracks clicks'
  return null
}

/** Whether any step's condition asks what leads did with their mail. */
export const asksForFacts = (steps: readonly StepRule[]): boolean =>
  steps.some(({ condition }) => /opened|clicked/.test(condition ?? ''))

/** Whether any step's condition asks how accounts stand to leads. */
export const asksForRelation = (steps: readonly StepRule[]): boolean =>
  steps.some(({ condition }) => /connected/.test(condition ?? ''))

/** Why a step's condition can never hold, whatever the leads do; null when it can. `index` counts from 0. */
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
