import { onBell } from '#inngest/on-bell'
import { askForStaleImports } from '#lib/services/datasets/import'
import { readDuePostmasters } from '#lib/services/domains/postmaster/read'
import { findRecipientDomains } from '#lib/services/domains/recipient-domains'
import { readDueSnds } from '#lib/services/domains/snds/read'
import { checkDueDomains } from '#lib/services/domains/sweep'
import { askForStaleSessions } from '#lib/services/enrichment/sessions'
import { branchRound } from '#lib/services/inbox/intent/branches'
import { followLeftCorrections } from '#lib/services/inbox/intent/corrections'
import { backfillRound } from '#lib/services/instance/backfills'
import { doAll } from '#lib/services/instance/sweep'
import { startDueCampaigns } from '#lib/services/launch/lifecycle'
import { askForStaleRuns } from '#lib/services/personalize/runs'
import { askForStaleWorkspaceImports } from '#lib/services/workspaces/archive/imports'

/** Scheduled starts, due domain checks, rows left behind by an upgrade, and work that seems to have lost its event or worker. */
export const chores = () =>
  doAll([
    () => startDueCampaigns(new Date()),
    () => askForStaleImports(new Date()),
    () => askForStaleSessions(new Date()),
    () => askForStaleWorkspaceImports(new Date()),
    () => askForStaleRuns(new Date()),
    () => checkDueDomains(new Date()),
    () => findRecipientDomains(new Date()),
    () => readDuePostmasters(new Date()),
    () => readDueSnds(new Date()),
    () => followLeftCorrections(new Date()),
    () => branchRound(new Date()),
    () => backfillRound(),
  ])

export const doChores = onBell('chores', { id: 'do-chores', limit: 1, retries: 2 }, chores)
