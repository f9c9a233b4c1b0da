// Reads over the API by several callers at a steady pace, in its own process, so that other work does not count as the instance's.
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '#lib/client/client'
import { answerCounts } from '../harness.ts'

export type Probed = { ms: number[]; failed: number }

/** Each reads one page per second. */
const CALLERS = 16
const client = createClient({
  base_url: process.env.BENCH_URL ?? '',
  token: process.env.BENCH_KEY ?? '',
  // The client retries failures; they are counted all the same.
  fetch: async (url, init) => {
    const response = await fetch(url, init)
    if (!response.ok) counted.failed += 1
    return response
  },
})
let counted: Probed = { ms: [], failed: 0 }
let campaign_id: string | undefined

const listCampaigns = async () => {
  const { campaigns } = await client.listCampaigns({ query: { page_size: 20 } })
  // A campaign that already has leads.
  campaign_id = campaigns.find(({ total_leads }) => (total_leads ?? 0) > 0)?.campaign_id
}
const READS: (() => Promise<unknown>)[] = [
  listCampaigns,
  async () => campaign_id && client.listCampaignLeads({ params: { campaign_id }, query: { page_size: 20 } }),
  () => client.listInboxThreads({ query: { page_size: 20 } }),
  async () => campaign_id && client.readCampaign({ params: { campaign_id } }),
]

/** Reads are not sequential: a slow read must not hide others that would have been slow too. */
async function read(one: () => Promise<unknown>): Promise<void> {
  const from = performance.now()
  await one().catch(() => {
    counted.failed += 1
  })
  counted.ms.push(performance.now() - from)
}

answerCounts(() => {
  const answer = counted
  counted = { ms: [], failed: 0 }
  return answer
})
console.log('{}')
for (let n = 0; ; n++) {
  await sleep(1_000 / CALLERS)
  const one = READS[n % READS.length]
  if (one) void read(one)
}
