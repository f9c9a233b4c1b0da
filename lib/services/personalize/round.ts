import { workRun } from '#lib/services/personalize/work'
import { configuredWriter } from '#lib/services/personalize/writer'

/** One call of a background function stays well below the time that a host gives it. */
const ROUND_MS = 20_000

/** Writes for a while with the model that the environment names. */
export async function personalizeRound(runId: string): Promise<{ state: string; wake_at: string | null }> {
  const { state, wake_at } = await workRun(runId, {
    writer: configuredWriter(),
    clock: () => new Date(),
    until: new Date(Date.now() + ROUND_MS),
  })
  return { state, wake_at: wake_at?.toISOString() ?? null }
}
