// Our side: one worker process that reads all mailboxes until nothing is left, with the mail reader that it starts.
import { closeDatabase, pool } from '#lib/db/client'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { peakMemoryMb } from '../harness.ts'

const imap = createImapProvider({ policy: { allow_private_hosts: true } })
const options = { pool: pool(), imap, clock: () => new Date(), until: new Date(Date.now() + 3_600_000) }
const started = performance.now()
const before = process.cpuUsage()
let mails = 0
let failed = 0
for (let more = true; more; ) {
  const polled = await pollInboxes(options)
  mails += polled.mails
  failed += polled.failed
  more = polled.more
}
const ms = performance.now() - started
const cpu = process.cpuUsage(before)
await closeDatabase()
console.log(
  JSON.stringify({ mails, failed, ms, rss_mb: peakMemoryMb(), cpu_ms: (cpu.user + cpu.system) / 1000 }),
)
// Its mail reader would be kept alive for ever.
process.exit(0)
