// One worker that sends a campaign's mails one at a time, a simulated minute apart, like a paced campaign.
import { closeDatabase } from '#lib/db/client'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { dispatchDue } from '#lib/services/sending/run'
import { peakMemoryMb } from '../harness.ts'

const mails = Number(process.env.BENCH_PACED)
const mail = createSmtpProvider({ policy: { allow_private_hosts: true } })
const started = performance.now()
const before = process.cpuUsage()
const from = Date.now()
let sent = 0
for (let minute = 0; sent < mails && minute < mails * 2; minute++) {
  const now = new Date(from + minute * 60_000)
  sent += (await dispatchDue({ mail, clock: () => now })).offered
}
const cpu = process.cpuUsage(before)
const ms = performance.now() - started
await mail.close()
await closeDatabase()
console.log(JSON.stringify({ sent, ms, rss_mb: peakMemoryMb(), cpu_ms: (cpu.user + cpu.system) / 1000 }))
