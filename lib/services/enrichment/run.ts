import { enrichmentProviders } from '#lib/services/enrichment/providers'
import { runRound } from '#lib/services/enrichment/round'
import { finderTools } from '#lib/services/finder/tools'

/** One step's worth of a session, with what the environment connects. */
export const workOnSession = (sessionId: string, until: Date) =>
  runRound(sessionId, until, {
    clock: () => new Date(),
    providers: enrichmentProviders(),
    finder: finderTools(),
  })
