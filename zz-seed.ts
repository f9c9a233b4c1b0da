import { closeDatabase, db } from '#lib/db/client'
import { launchCampaign } from '#lib/services/campaign-life'
import { dispatchDue } from '#lib/services/dispatch/run'
import { activateCampaign, enrolLeads } from '#lib/services/enrolment'
import { closeMailProvider, mailProvider } from '#lib/services/mail-provider'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/factories'

const owner = await aUser({ email: `demo-${Date.now()}@opener.test` })
await aMailbox(owner, { port: 2652, address: `ada-${Date.now()}@example.org` })
const { dataset_id } = await aDataset(owner, 30)
const now = new Date()
const { campaign_id } = await aCampaign(owner, { sending_window_start: '00:00', sending_window_end: '00:00', min_interval_seconds: 0, send_days: ['mon','tue','wed','thu','fri','sat','sun'], dataset_id, steps_config: [{ subject: 'Hello {{ first_name }}', message_template: 'A word about **{{ company }}**.' }] })
await launchCampaign(owner.user_id, campaign_id, null, now)
await enrolLeads(campaign_id, now)
await activateCampaign(campaign_id, now)
console.log(await dispatchDue({ mail: mailProvider(), clock: () => new Date() }))
const [m] = await db.sandboxMessage.findMany({ take: 1, orderBy: { sandbox_message_id: 'desc' } })
const raw = Buffer.from(m?.raw ?? '').toString().replace(/\r\n\s+/g, ' ')
console.log(/unsubscribe\/(u1\.[\w-]+)/.exec(raw)?.[1], owner.user_id)
await closeMailProvider()
await closeDatabase()
