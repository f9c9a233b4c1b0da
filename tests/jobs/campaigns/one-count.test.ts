import { expect, test } from 'vitest'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ListInboxThreads } from '#lib/contracts/inbox/inbox'
import { ListWorkspaceOverviews } from '#lib/contracts/workspaces/overview'
import { db } from '#lib/db/client'
import { readCampaignAnalytics } from '#lib/services/campaigns/campaign-analytics'
import { countByStatus, listCampaigns } from '#lib/services/campaigns/campaigns'
import { readListedRates } from '#lib/services/campaigns/reports/listed-rates'
import { listWorkspaceOverviews } from '#lib/services/campaigns/reports/workspace-overviews'
import { readWorkspaceAnalytics } from '#lib/services/campaigns/workspace-analytics'
import { countFolders } from '#lib/services/inbox/folders'
import { countUnread, listInboxThreads, readInboxThread } from '#lib/services/inbox/threads'
import { countCampaignLeads, countPending } from '#lib/services/leads/campaign-leads'
import { addSample } from '#lib/services/sandbox/samples'
import { aCampaign, aUser } from '#tests/support/scenes/factories'

// No mail is sent to it: only the existence of a sandbox matters.
process.env.SANDBOX_SMTP_PORT = '2525'

const NOW = new Date('2026-11-21T12:30:00Z')
const sum = (counts: number[]) => counts.reduce((all, one) => all + one, 0)
const count = async (query: Promise<unknown>) => Number(((await query) as { count: number }[])[0]?.count)

/** Each of the four terms of the glossary, from every place that pages read it from, and from the rows themselves. */
test('sent, replied, leads and waiting are one number each, wherever they are shown', async () => {
  const owner = await aUser()
  await addSample(owner, 'history', NOW)
  const { workspace_id } = owner
  const { campaigns } = await listCampaigns(owner, ListCampaigns.query.parse({}))
  const launched = campaigns.filter(({ launched_at }) => launched_at)
  expect(launched.length).toBeGreaterThan(1)
  const rates = await readListedRates(workspace_id, campaigns)
  for (const { campaign_id, sent_count, replied_count, total_leads, processed_leads } of launched) {
    const analytics = await readCampaignAnalytics(workspace_id, campaign_id)
    const leads = await countCampaignLeads(workspace_id, campaign_id)
    const pending = (await countPending(workspace_id, [campaign_id])).get(campaign_id)

    const sent = await count(db.$queryRaw`SELECT count(*)::int AS count FROM actions
      WHERE campaign_id = ${campaign_id}::uuid AND status IN ('sent', 'uncertain')`)
    expect([
      sent_count,
      sum(analytics.days.map((day) => day.sent)),
      sum(analytics.steps.map((step) => step.sent)),
    ]).toEqual([sent, sent, sent])
    const replied = await count(db.$queryRaw`SELECT count(*)::int AS count FROM campaign_leads
      WHERE campaign_id = ${campaign_id}::uuid AND status = 'replied'`)
    expect([replied_count, analytics.reply_rate.numerator, leads.replied]).toEqual([
      replied,
      replied,
      replied,
    ])
    expect([total_leads, analytics.leads.total, sum(Object.values(leads))]).toEqual(
      Array(3).fill(total_leads),
    )
    const waiting = leads.pending + leads.active
    expect([(total_leads ?? 0) - processed_leads, analytics.leads.waiting]).toEqual([waiting, waiting])
    expect(pending).toBe(leads.pending)
    const { reply_rate, bounce_rate } = analytics
    expect(rates.get(campaign_id)).toEqual({ reply_rate, bounce_rate })
  }
  const all = await readWorkspaceAnalytics(workspace_id, { from: '2026-01-01', to: '2026-11-21' }, NOW)
  const shown = sum(launched.map((one) => one.sent_count))
  expect([
    all.totals.sent,
    sum(all.days.map((day) => day.sent)),
    sum(all.campaigns.map((one) => one.sent)),
  ]).toEqual([shown, shown, shown])
  expect(all.totals.reply_rate.numerator).toBe(sum(launched.map((one) => one.replied_count)))

  const folder = (name: string) =>
    listInboxThreads(owner, ListInboxThreads.query.parse({ folder: name, page_size: 100 }), NOW)
  const unread = await folder('unread')
  expect([unread.total, await countUnread(workspace_id, NOW)]).toEqual(Array(2).fill(unread.items.length))
  const answerable = await folder('needs_answer')
  const overview = await listWorkspaceOverviews(
    { ...owner, credential: 'jwt' },
    ListWorkspaceOverviews.query.parse({}),
    NOW,
  )
  expect([
    answerable.total,
    (await countFolders(workspace_id, NOW)).needs_answer,
    overview.items[0]?.waiting?.unanswered_threads,
  ]).toEqual(Array(3).fill(answerable.items.length))
  // Each of these conversations can really be answered.
  for (const { thread_id } of answerable.items)
    expect(await readInboxThread(workspace_id, thread_id, NOW)).toMatchObject({ may_answer: true })
})

test('chips of the campaigns count what their lists hold, by the other filters too', async () => {
  const owner = await aUser()
  for (const [name, status] of [
    ['Spring', 'active'],
    ['Spring again', 'paused'],
    ['50 %', 'paused'],
    ['Autumn', 'draft'],
  ] as const) {
    const { campaign_id } = await aCampaign(owner, { name })
    const paused_from = status === 'paused' ? 'active' : null
    await db.campaign.update({ where: { campaign_id }, data: { status, paused_from } })
  }
  const stranger = await aUser()
  await aCampaign(stranger, { name: 'Spring' })
  for (const filters of [{}, { search: 'spring' }, { search: '%' }, { name: 'Spring' }, { owner: 'me' }]) {
    const query = ListCampaigns.query.parse(filters)
    const counts = await countByStatus(owner, query)
    expect(sum(Object.values(counts))).toBe((await listCampaigns(owner, query)).total)
    for (const status_filter of ['active', 'paused', 'draft', 'failed'] as const) {
      const { total } = await listCampaigns(owner, { ...query, status_filter })
      expect(counts[status_filter] ?? 0).toBe(total)
    }
  }
})
