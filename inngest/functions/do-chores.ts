import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { askForStaleImports } from '#lib/services/datasets/import'
import { checkDueDomains } from '#lib/services/domains/sweep'
import { askForStaleSessions } from '#lib/services/enrichment/sessions'
import { answerBell } from '#lib/services/instance/bells'
import { doAll } from '#lib/services/instance/sweep'
import { startDueCampaigns } from '#lib/services/launch/lifecycle'
import { askForStaleRuns } from '#lib/services/personalize/runs'

/** Scheduled starts, domains that are to be looked at, and whatever seems to have lost its event or its worker. */
export const chores = () =>
  doAll([
    () => startDueCampaigns(new Date()),
    () => askForStaleImports(new Date()),
    () => askForStaleSessions(new Date()),
    () => askForStaleRuns(new Date()),
    () => checkDueDomains(new Date()),
  ])

export const doChores = inngest.createFunction(
  {
    id: 'do-chores',
    triggers: [BELL_EVENTS.chores],
    concurrency: { limit: 1 },
    retries: 2,
    checkpointing: false,
  },
  () => answerBell('chores', chores),
)
