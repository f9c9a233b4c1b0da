import type { Tools } from '#lib/services/enrichment/pipeline'
import { runRound } from '#lib/services/enrichment/round'
import type { FinderTools } from '#lib/services/finder/tools'

/** A finder without services: DNS gives no answer, and there is no mail server. */
export const NO_FINDER: FinderTools = {
  dns: {
    txt: async () => ({ outcome: 'failed', reason: 'unreachable', error: 'none' }),
    mx: async () => ({ outcome: 'failed', reason: 'unreachable', error: 'none' }),
    srv: async () => ({ outcome: 'failed', reason: 'unreachable', error: 'none' }),
    cname: async () => ({ outcome: 'failed', reason: 'unreachable', error: 'none' }),
    addresses: async () => ({ outcome: 'failed', reason: 'unreachable', error: 'none' }),
    reverse: async () => ({ outcome: 'failed', reason: 'unreachable', error: 'none' }),
  },
  probe: null,
  spacing_ms: 0,
  timeout_ms: 5_000,
  per_domain: 1_000,
}

/** Works through a session to its end, as the background function does over its steps. */
export async function carryOut(session_id: string, tools: Partial<Tools> = {}) {
  const all: Tools = { clock: () => new Date(), providers: [], verifiers: [], finder: NO_FINDER, ...tools }
  for (;;) {
    const { done } = await runRound(session_id, new Date(0), all)
    if (done) return
  }
}
