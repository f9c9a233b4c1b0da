import { roundEnd } from '#lib/services/instance/round-time'
import { workRun } from '#lib/services/personalize/work'
import { configuredWriter } from '#lib/services/personalize/writer'

/** Writes texts for a while with the model configured in the environment. */
export async function personalizeRound(runId: string): Promise<{ state: string; wake_at: string | null }> {
  const { state, wake_at } = await workRun(runId, {
    writer: configuredWriter(),
    clock: () => new Date(),
    until: roundEnd(new Date()),
  })
  return { state, wake_at: wake_at?.toISOString() ?? null }
}
