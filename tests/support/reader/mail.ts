// The mail tasks as the instance serves them, plus mails that make the process hang, run out of memory or exit.
import { serve } from '#lib/providers/reader/serve'
import { MAIL_TASKS } from '#lib/services/reading/mail-tasks'

const asks = (raw: Uint8Array, what: string) => Buffer.from(raw).includes(`X-Ask: ${what}`)

export const DEADLY_TASKS: typeof MAIL_TASKS = {
  ...MAIL_TASKS,
  async inbound(arrived) {
    const kept: string[][] = []
    while (asks(arrived.raw, 'spin'));
    while (asks(arrived.raw, 'heap'))
      kept.push(Array.from({ length: 10_000 }, (_, at) => `${at}-${kept.length}`))
    if (asks(arrived.raw, 'exit')) process.exit(3)
    return MAIL_TASKS.inbound(arrived)
  },
  head(arrived) {
    while (asks(arrived.raw, 'spin at all'));
    return MAIL_TASKS.head(arrived)
  },
}

serve(DEADLY_TASKS, { kept_growth_mb: 96, refusal: () => null })
