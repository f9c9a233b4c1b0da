import { enrichmentProviders, verifiers } from '#lib/services/enrichment/providers'
import { runRound } from '#lib/services/enrichment/round'
import { finderTools } from '#lib/services/finder/tools'
import { roundEnd } from '#lib/services/instance/round-time'

/** Runs one round of a session with the tools configured in the environment. */
export const workOnSession = (sessionId: string) =>
  runRound(sessionId, roundEnd(new Date()), {
    clock: () => new Date(),
    providers: enrichmentProviders(),
    verifiers: verifiers(),
    finder: finderTools(),
  })
