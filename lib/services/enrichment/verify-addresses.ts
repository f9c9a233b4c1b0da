import type { z } from 'zod'
import type { VerificationOptions } from '#lib/contracts/enrichment/verification'
import { pool } from '#lib/db/client'
import type { DatasetSessionModel } from '#lib/db/generated/models'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import { EMAIL_STATUSES, type MailRoute, VERIFICATION_CODES, type Verdict } from '#lib/domain/finder/verdict'
import type { BatchRow } from '#lib/services/enrichment/batch'
import type { Gathered, Pipeline, Tools } from '#lib/services/enrichment/pipeline'
import { lookUp } from '#lib/services/enrichment/waterfall'
import { mailRoute } from '#lib/services/finder/mail-route'
import type { FinderTools } from '#lib/services/finder/tools'
import { verifyEmail } from '#lib/services/finder/verify'

/** DNS answers many queries at once; mail servers are asked one by one. */
const ROWS = 200
const ROWS_WITH_SERVERS = 10
const AT_ONCE = 8

/** How long a result is valid before a session verifies the address again. */
const SURE_MS = 30 * DAY_MS
const UNKNOWN_MS = DAY_MS

type Options = z.output<typeof VerificationOptions>
type Verified = Verdict & { verified_by: string }

/** Verifies each address of a dataset. It changes no cell: results are stored by address, for all datasets of the workspace. */
export function verificationPipeline(session: DatasetSessionModel, options: Options, tools: Tools): Pipeline {
  const { finder } = tools
  const asksServers = finder.probe !== null
  return {
    batch: asksServers || options.providers.length > 0 ? ROWS_WITH_SERVERS : ROWS,
    overwrite: false,
    async gather(rows) {
      const now = tools.clock()
      const stands = await standing(session, rows, options.recheck ? session.session_created_at : null, now)
      const open = firstOfEach(rows.filter(({ email }) => email !== null && !stands.has(email)))
      const findRoute = onceEach((domain) => mailRoute(finder.dns, domain))
      const verdicts = new Map<string, Verified>()
      const failed = new Set<number>()
      await inTurns(open, asksServers ? 1 : AT_ONCE, async ({ row, email }) => {
        const own = await ownVerdict(session, email, { now, finder, findRoute })
        const said = own.status === 'unknown' ? await askVerifiers(session, row, options, tools) : null
        if (said === 'failed') failed.add(row.lead_index)
        verdicts.set(email, said === null || said === 'failed' ? own : said)
      })
      await keepVerdicts(session.workspace_id, verdicts, now)
      return new Map(
        rows.map(({ lead_index, email }): [number, Gathered] => {
          const status = email === null ? null : (verdicts.get(email)?.status ?? stands.get(email))
          const reason = status ? `verified_${status}` : 'no_address'
          return [
            lead_index,
            { proposals: [], skips: [{ field: 'email', reason }], has_failed: failed.has(lead_index) },
          ]
        }),
      )
    },
    find: async (_, rows, gathered) =>
      new Map(
        rows.map(({ lead_index }) => [lead_index, gathered.get(lead_index) ?? { proposals: [], skips: [] }]),
      ),
  }
}

type Open = { row: BatchRow; email: string }

function firstOfEach(rows: readonly BatchRow[]): Open[] {
  const byEmail = new Map<string, Open>()
  for (const row of rows)
    if (row.email !== null && !byEmail.has(row.email)) byEmail.set(row.email, { row, email: row.email })
  return [...byEmail.values()]
}

/** The addresses whose results are still valid, with their status: verified after `since`, or recently enough. */
async function standing(
  { workspace_id }: DatasetSessionModel,
  rows: readonly BatchRow[],
  since: Date | null,
  now: Date,
): Promise<Map<string, Verdict['status']>> {
  const { rows: known } = await pool().query<{ email: string; status: string; verified_at: Date }>(
    'SELECT email, status, verified_at FROM email_verifications WHERE workspace_id = $1 AND email = ANY ($2)',
    [workspace_id, rows.flatMap(({ email }) => email ?? [])],
  )
  return new Map(
    known.flatMap(({ email, status: text, verified_at }) => {
      const status = EMAIL_STATUSES.find((one) => one === text)
      const oldest = since?.getTime() ?? now.getTime() - (status === 'unknown' ? UNKNOWN_MS : SURE_MS)
      return status && verified_at.getTime() > oldest ? [[email, status] as const] : []
    }),
  )
}

type OwnTools = { now: Date; finder: FinderTools; findRoute: (domain: string) => Promise<MailRoute> }

async function ownVerdict(
  { workspace_id }: DatasetSessionModel,
  address: string,
  { now, finder, findRoute }: OwnTools,
): Promise<Verified> {
  const { status, code, reason } = await verifyEmail(workspace_id, address, now, finder, findRoute)
  return { status, code, reason, verified_by: 'opener' }
}

/** Asks the services one after the other, until one has an answer. */
async function askVerifiers(
  session: DatasetSessionModel,
  row: BatchRow,
  { providers, max_cost }: Options,
  { verifiers }: Tools,
): Promise<Verified | 'failed' | null> {
  let hasFailed = false
  for (const name of providers) {
    const verifier = verifiers.find((one) => one.name === name)
    if (!verifier) continue
    const known = await lookUp({ session, max_cost }, row, verifier)
    if (known.kind === 'failed') hasFailed = true
    if (known.kind !== 'found') continue
    const status = EMAIL_STATUSES.find((one) => one === known.fields.status)
    const code = VERIFICATION_CODES.find((one) => one === known.fields.code)
    if (status && code) return { status, code, reason: known.fields.reason ?? '', verified_by: name }
  }
  return hasFailed ? 'failed' : null
}

/** In order of the addresses, so that two sessions that store the same ones do not deadlock. */
async function keepVerdicts(
  workspaceId: string,
  verdicts: ReadonlyMap<string, Verified>,
  now: Date,
): Promise<void> {
  const all = [...verdicts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (all.length === 0) return
  await pool().query(
    `INSERT INTO email_verifications (workspace_id, email, status, code, reason, verified_by, verified_at)
     SELECT $1, v.*, $2 FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) v
     ON CONFLICT (workspace_id, email) DO UPDATE SET status = EXCLUDED.status, code = EXCLUDED.code,
       reason = EXCLUDED.reason, verified_by = EXCLUDED.verified_by, verified_at = EXCLUDED.verified_at`,
    [
      workspaceId,
      now,
      all.map(([email]) => email),
      all.map(([, { status }]) => status),
      all.map(([, { code }]) => code),
      all.map(([, { reason }]) => reason),
      all.map(([, { verified_by }]) => verified_by),
    ],
  )
}

function onceEach<T>(ask: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>()
  return (key) => {
    const answer = asked.get(key) ?? ask(key)
    asked.set(key, answer)
    return answer
  }
}

async function inTurns<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>) {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}
