import { db, pool } from '#lib/db/client'
import { readDmarcReport } from '#lib/domain/domains/dmarc-report'
import { sandboxSnds } from '#lib/providers/snds/sandbox'
import { keepReports } from '#lib/services/domains/dmarc-reports'
import { aDmarcReport, dmarcRecord } from '#tests/support/files/dmarc'

const DAY_MS = 86_400_000
const PASSED = { result: 'pass', domain: 'opener-demo.example' }

type Where = { workspace_id: string; mailbox_id: string; seed_mailbox_id: string; domain: string }

/** SNDS counts (Outlook.com) of two IP addresses. */
async function someCounts(workspace_id: string, now: Date): Promise<void> {
  const times = { connected_at: now, read_at: now, next_read_at: new Date(now.getTime() + DAY_MS / 2) }
  const blocked = [
    { first_ip: '203.0.113.9', last_ip: '203.0.113.9', reason: 'Blocked due to user complaints.' },
  ]
  await db.sndsAccount.create({ data: { workspace_id, key: 'none', blocked, ...times } })
  for (let back = 1; back < 14; back++) {
    const date = new Date(now.getTime() - back * DAY_MS).toISOString().slice(0, 10)
    const read = await sandboxSnds.readDay('none', date)
    const days = read.ok ? read.days : []
    await db.sndsDay.createMany({ data: days.map((day) => ({ ...day, workspace_id, date: new Date(date) })) })
  }
}

/** What receivers reported: about placement tests of a mailbox, and about two weeks of mail from a domain. */
export async function someReports({ domain, ...tested }: Where, now: Date): Promise<void> {
  await someCounts(tested.workspace_id, now)
  const sent = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const made = (hours: number) => ({ ...tested, message_id: `<${hours}@test.example>`, sent_at: sent(hours) })
  const seen = { authserv_id: 'mx.google.com', spf: PASSED, dkim: [PASSED], dmarc: PASSED }
  await db.placementTest.createMany({
    data: [
      { ...made(1) },
      { ...made(20), arrived_at: sent(20), placement: 'inbox', authentication: seen },
      {
        ...made(40),
        arrived_at: sent(40),
        placement: 'spam',
        authentication: { ...seen, spf: { ...PASSED, result: 'softfail' } },
      },
      { ...made(60), error: '550 5.7.1 The recipient does not want this.' },
    ],
  })
  const days = Array.from({ length: 14 }, (_, day) => {
    const begins = new Date(Math.floor(now.getTime() / DAY_MS - day - 1) * DAY_MS)
    const records = [
      dmarcRecord({ ip: '192.0.2.10', count: 120 + 17 * (day % 5) }),
      dmarcRecord({ ip: '2001:db8::25', count: 30 + day, dkim: 'fail' }),
      dmarcRecord({
        ip: '203.0.113.9',
        count: 4 + day,
        spf: 'fail',
        dkim: 'fail',
        disposition: 'quarantine',
      }),
    ]
    return readDmarcReport(aDmarcReport({ domain, id: `${day}`, begins, records })) ?? []
  })
  await keepReports(pool(), tested.workspace_id, days.flat(), now)
}
