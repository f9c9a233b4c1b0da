import { enrichmentProviders, verifiers } from '#lib/services/enrichment/providers'
import { runRound } from '#lib/services/enrichment/round'
import { finderTools } from '#lib/services/finder/tools'
import { roundEnd } from '#lib/services/instance/round-time'

/** One step's worth of a session, with what the environment connects. */
export const workOnSession = (sessionId: string) =>
  runRound(sessionId, roundEnd(new Date()), {
    clock: () => new Date(),
    providers: enrichmentProviders(),
    verifiers: verifiers(),
    finder: finderTools(),
  })
