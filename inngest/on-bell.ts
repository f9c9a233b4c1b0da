import { BELL_EVENTS } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { answerBell, type Worked } from '#lib/services/instance/bells'

type Options = {
  id: string
  /** Most runs at once. */
  limit: number
  /** 0 if each row keeps its own state and the next bell returns to it. */
  retries: 0 | 2 | 5
}

/** A function that does one kind of background work when its bell rings. Without steps, so that a wake-up costs one execution. */
export const onBell = <Done extends Worked>(
  bell: keyof typeof BELL_EVENTS,
  { id, limit, retries }: Options,
  work: () => Promise<Done>,
) =>
  inngest.createFunction(
    { id, triggers: [BELL_EVENTS[bell]], concurrency: { limit }, retries, checkpointing: false },
    () => answerBell(bell, work),
  )
