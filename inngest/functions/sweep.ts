import { cron } from 'inngest'
import { chores } from '#inngest/functions/do-chores'
import { noticeRounds } from '#inngest/functions/send-notifications'
import { SweepRequested } from '#lib/events/bells'
import { inngest } from '#lib/events/client'
import { shiftVariantWeights } from '#lib/services/campaigns/variant-weights'
import { removeOldReports } from '#lib/services/domains/dmarc-reports'
import { removeOldVerifications } from '#lib/services/enrichment/verification'
import { strayFileRound } from '#lib/services/files/round'
import { modelRound } from '#lib/services/inbox/intent/model'
import { mailboxes, pollEveryMailbox } from '#lib/services/inbox/mailboxes/round'
import { answersRound } from '#lib/services/inbox/planned/round'
import { readEveryAccount } from '#lib/services/inbox/social-events'
import { removeOldPresence } from '#lib/services/inbox/thread/presence'
import { removeFullBuckets } from '#lib/services/instance/rate-limits'
import { sweepAll } from '#lib/services/instance/sweep'
import { eraseUnconfirmed } from '#lib/services/leads/forms/confirmation-round'
import { askForSearchFill } from '#lib/services/leads/people/search-round'
import { forgetAttachments } from '#lib/services/messages/attached/attachments'
import { publishRound } from '#lib/services/posts/round'
import { dispatchRound } from '#lib/services/sending/round'
import { deliverRound } from '#lib/services/telling/webhook-round'
import { removeOldSignIns } from '#lib/services/workspaces/sign-in/sign-ins'

/** Once an hour: everything overdue, in case a bell was lost, and housekeeping without a schedule of its own. */
export const sweep = inngest.createFunction(
  {
    id: 'sweep',
    triggers: [cron('7 * * * *'), SweepRequested],
    concurrency: { limit: 1 },
    retries: 1,
    checkpointing: false,
  },
  () =>
    sweepAll(
      {
        dispatch: () => dispatchRound(mailboxes),
        inbox: pollEveryMailbox,
        accounts: readEveryAccount,
        webhooks: deliverRound,
        notifications: noticeRounds,
        posts: publishRound,
        intents: () => modelRound(new Date()),
        answers: () => answersRound(new Date()),
        chores,
      },
      [
        () => shiftVariantWeights(new Date()),
        () => forgetAttachments(new Date()),
        strayFileRound,
        () => removeFullBuckets(new Date()),
        () => removeOldSignIns(new Date()),
        () => removeOldVerifications(new Date()),
        () => removeOldPresence(new Date()),
        () => removeOldReports(new Date()),
        askForSearchFill,
        () => eraseUnconfirmed(new Date()),
      ],
    ),
)
