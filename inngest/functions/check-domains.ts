import { cron } from 'inngest'
import { inngest } from '#lib/events/client'
import { checkDueDomains } from '#lib/services/domains/sweep'

/** Each domain has its own time: often while its records are awaited, daily once it is in order. */
export const checkDomains = inngest.createFunction(
  { id: 'check-domains', triggers: [cron('*/5 * * * *')], concurrency: { limit: 1 }, retries: 0 },
  async ({ step }) => step.run('look', () => checkDueDomains(new Date())),
)
