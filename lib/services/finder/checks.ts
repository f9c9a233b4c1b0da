import { z } from 'zod'
import { db } from '#lib/db/client'
import type { ProbeAnswer } from '#lib/providers/mail-probe/port'

const Answer: z.ZodType<ProbeAnswer['answer']> = z.enum(['accepted', 'refused', 'deferred', 'failed'])

/** A definite answer is kept for a week; a deferred or failed check for an hour. */
const SURE_MS = 7 * 86_400_000
const UNSURE_MS = 3_600_000

export type Check = ProbeAnswer & { catch_all: boolean | null }

/** Recent server answers about these addresses, and whether the domain accepts any name. */
export async function knownChecks(workspaceId: string, domain: string, emails: readonly string[], now: Date) {
  const since = new Date(now.getTime() - SURE_MS)
  const [rows, latest] = await Promise.all([
    db.emailCheck.findMany({
      where: { workspace_id: workspaceId, email: { in: [...emails] }, checked_at: { gt: since } },
    }),
    db.emailCheck.findFirst({
      where: { workspace_id: workspaceId, domain, catch_all: { not: null }, checked_at: { gt: since } },
      orderBy: { checked_at: 'desc' },
    }),
  ])
  const fresh = rows.filter(({ answer, checked_at }) => {
    const isSure = answer === 'accepted' || answer === 'refused'
    return isSure || checked_at.getTime() > now.getTime() - UNSURE_MS
  })
  const checks = new Map(
    fresh.map(({ email, answer, response, catch_all }): [string, Check] => [
      email,
      {
        answer: Answer.parse(answer),
        response,
        catch_all: catch_all ?? latest?.catch_all ?? null,
      },
    ]),
  )
  return { checks, catch_all: latest?.catch_all ?? null }
}

type Heard = {
  domain: string
  mx: string
  catch_all: boolean | null
  answers: ReadonlyMap<string, ProbeAnswer>
}

export async function keepChecks(
  workspaceId: string,
  { domain, mx, catch_all, answers }: Heard,
  now: Date,
): Promise<void> {
  for (const [email, { answer, response }] of answers) {
    const data = { domain, mx, catch_all, answer, response, checked_at: now }
    await db.emailCheck.upsert({
      where: { workspace_id_email: { workspace_id: workspaceId, email } },
      create: { workspace_id: workspaceId, email, ...data },
      update: data,
    })
  }
}
