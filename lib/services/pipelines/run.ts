import { finderTools } from '#lib/services/email-finder/tools'
import { enrichmentProviders } from '#lib/services/enrichment-providers'
import { runRound } from '#lib/services/pipelines/round'

/** One step's worth of a session, with what the environment connects. */
export const workOnSession = (sessionId: string, until: Date) =>
  runRound(sessionId, until, {
    clock: () => new Date(),
    providers: enrichmentProviders(),
    finder: finderTools(),
  })
