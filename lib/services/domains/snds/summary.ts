import { z } from 'zod'
import { SndsSummary } from '#lib/contracts/domains/snds'
import { db } from '#lib/db/client'
import { SNDS_RESULTS, type SndsDay, sndsWarnings } from '#lib/domain/domains/counted/snds'

const MOST_IPS = 100

async function load(workspace_id: string) {
  const [account, rows] = await Promise.all([
    db.sndsAccount.findUnique({ where: { workspace_id } }),
    db.sndsDay.findMany({ where: { workspace_id }, orderBy: [{ date: 'desc' }, { ip: 'asc' }] }),
  ])
  const days = rows.map(
    ({ workspace_id: _, date, result, ...day }): SndsDay => ({
      ...day,
      date: date.toISOString().slice(0, 10),
      result: z.enum(SNDS_RESULTS).parse(result),
    }),
  )
  return { account, days, blocked: SndsSummary.shape.blocked.parse(account?.blocked ?? []) }
}

/** What SNDS reports about the IP addresses of a workspace. */
export async function sndsSummary(workspace_id: string, now: Date): Promise<SndsSummary> {
  const { account, days, blocked } = await load(workspace_id)
  const total = (of: SndsDay[]) => of.reduce((sum, { recipients }) => sum + recipients, 0)
  const ips = [...Map.groupBy(days, ({ ip }) => ip)]
    .toSorted(([, a], [, b]) => total(b) - total(a))
    .slice(0, MOST_IPS)
    .map(([ip, of]) => ({ ip, days: of }))
  return SndsSummary.parse({
    connected: account !== null,
    is_made_up: account?.is_made_up ?? false,
    read_at: account?.read_at ?? null,
    next_read_at: account?.next_read_at ?? null,
    said: account?.said ?? null,
    warnings: sndsWarnings(days, blocked, now.getTime()),
    blocked,
    ips,
  })
}

/** SNDS warnings before a launch, one sentence each; none for the sandbox's figures. */
export async function findSndsWarnings(workspace_id: string, now: number): Promise<string[]> {
  const { account, days, blocked } = await load(workspace_id)
  return !account || account.is_made_up ? [] : sndsWarnings(days, blocked, now)
}
