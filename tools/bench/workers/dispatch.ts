// Our side: one worker process that dispatches everything due with the real SMTP driver.

import { closeDatabase } from '#lib/db/client'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { dispatchDue } from '#lib/services/sending/run'
import { peakMemoryMb } from '../harness.ts'

const mail = createSmtpProvider({ policy: { allow_private_hosts: true } })
const started = performance.now()
const before = process.cpuUsage()
const { offered } = await dispatchDue({ mail, clock: () => new Date() })
const ms = performance.now() - started
const cpu = process.cpuUsage(before)
await mail.close()
await closeDatabase()
console.log(
  JSON.stringify({ sent: offered, ms, rss_mb: peakMemoryMb(), cpu_ms: (cpu.user + cpu.system) / 1000 }),
)
