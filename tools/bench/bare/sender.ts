// The lower limit for sending: claims 50, sends through a nodemailer pool of 20, marks in groups of 25, and nothing else that a
// product needs.
import nodemailer from 'nodemailer'
import pg from 'pg'
import { peakMemoryMb } from '../harness.ts'

const CLAIM = 50
const GROUP = 25
type Row = { id: number; email: string }

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const { rows: sample } = await pool.query<{
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}>('SELECT subject, text, html, headers FROM bare_message')
const message = sample[0]
if (!message) throw new Error('There is no message to send.')
const transport = nodemailer.createTransport({
  host: '127.0.0.1',
  port: Number(process.env.BENCH_SMTP_PORT),
  ignoreTLS: true,
  auth: { user: 'bench', pass: 'bench' },
  pool: true,
  maxConnections: 20,
  maxMessages: 100,
})

let sent = 0
let marks: number[] = []
const writing = new Set<Promise<unknown>>()
const underway = new Set<Promise<void>>()

function mark() {
  const ids = marks
  marks = []
  if (ids.length === 0) return
  const write: Promise<unknown> = pool
    .query(`UPDATE bare_queue SET status = 'sent', sent_at = now() WHERE id = ANY ($1)`, [ids])
    .finally(() => writing.delete(write))
  writing.add(write)
}

async function send({ id, email }: Row) {
  await transport.sendMail({ ...message, from: 'Bench <sender@example.org>', to: email })
  sent += 1
  marks.push(id)
  if (marks.length >= GROUP) mark()
}

const started = performance.now()
const before = process.cpuUsage()
for (;;) {
  const { rows } = await pool.query<Row>(
    `UPDATE bare_queue SET status = 'sending' WHERE id IN (
       SELECT id FROM bare_queue WHERE status = 'due' ORDER BY id LIMIT ${CLAIM} FOR UPDATE SKIP LOCKED)
     RETURNING id, email`,
  )
  for (const row of rows) {
    const sending: Promise<void> = send(row).finally(() => underway.delete(sending))
    underway.add(sending)
  }
  if (rows.length === 0 && underway.size === 0) break
  while (underway.size > (rows.length === 0 ? 0 : CLAIM / 2)) await Promise.race(underway)
}
mark()
await Promise.all(writing)
const ms = performance.now() - started
const cpu = process.cpuUsage(before)
transport.close()
await pool.end()
console.log(JSON.stringify({ sent, ms, rss_mb: peakMemoryMb(), cpu_ms: (cpu.user + cpu.system) / 1000 }))
