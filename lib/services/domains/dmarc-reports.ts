import type { Pool, PoolClient } from 'pg'
import type { DmarcSummary } from '#lib/contracts/domains/dmarc-reports'
import { pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import type { DmarcReport } from '#lib/domain/domains/dmarc-report'
import { AppError } from '#lib/errors'
import { domainRow } from '#lib/services/domains/row'
import { readReportFile } from '#lib/services/reading/mail'

const DAYS = 30
const DAY_MS = 86_400_000
/** The largest count that a column holds. */
const MOST = 2_000_000_000

const sum = (counts: number[]): number =>
  Math.min(
    MOST,
    counts.reduce((all, count) => all + count, 0),
  )

/**
 * Stores reports about a workspace's domains. For a subdomain without a record of its own, receivers report about the domain above it; such
 * a report is stored with the subdomain that is registered here. A report stored before is skipped. Returns how many are new.
 */
export async function keepReports(
  client: Pool | PoolClient,
  workspaceId: string,
  reports: readonly DmarcReport[],
  now: Date,
): Promise<number> {
  let added = 0
  for (const report of reports) {
    const { sources } = report
    const count = (is: (source: (typeof sources)[number]) => boolean) =>
      sum(sources.filter(is).map(({ messages }) => messages))
    const { rowCount } = await client.query(
      `INSERT INTO dmarc_reports (workspace_id, domain_id, org_name, external_id, begins_at, ends_at, policy, messages, passed,
         quarantined, rejected, sources, taken_in_at)
       SELECT d.workspace_id, d.domain_id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM mail_domains d
       WHERE d.workspace_id = $1 AND (d.domain = $2 OR right(d.domain, length($2) + 1) = '.' || $2)
       ORDER BY length(d.domain) LIMIT 1
       ON CONFLICT DO NOTHING`,
      [
        workspaceId,
        report.domain,
        report.org_name,
        report.external_id,
        new Date(report.begins_at),
        new Date(report.ends_at),
        report.policy,
        count(() => true),
        count(({ spf, dkim }) => spf || dkim),
        count(({ disposition }) => disposition === 'quarantine'),
        count(({ disposition }) => disposition === 'reject'),
        jsonText(sources),
        now,
      ],
    )
    added += rowCount ?? 0
  }
  return added
}

/** Longer than a year, so that a month can be compared with the same month of the previous year. */
const KEPT_MS = 400 * DAY_MS

/** Deletes reports by when they were taken in, whatever period they claim to cover. */
export const removeOldReports = (now: Date) =>
  pool().query('DELETE FROM dmarc_reports WHERE taken_in_at < $1', [new Date(now.getTime() - KEPT_MS)])

/** Adds reports from a file, for users who receive them elsewhere. */
export async function addDmarcReports(workspaceId: string, domainId: string, file: File, now: Date) {
  const { domain } = await domainRow(workspaceId, domainId)
  const reports = await readReportFile(workspaceId, new Uint8Array(await file.arrayBuffer()))
  if (!reports || reports.length === 0)
    throw new AppError('bad_request', { message: 'This file contains no readable DMARC report.' })
  const strange = reports.find((report) => report.domain !== domain && !domain.endsWith(`.${report.domain}`))
  if (strange)
    throw new AppError('bad_request', { message: `This report is for ${strange.domain}, not ${domain}.` })
  const added = await keepReports(pool(), workspaceId, reports, now)
  return { added, known: reports.length - added }
}

type Counts = { messages: number; passed: number; quarantined: number; rejected: number }
const COUNTS = ['messages', 'passed', 'quarantined', 'rejected']
  .map((name) => `coalesce(sum(${name}), 0)::float8 AS ${name}`)
  .join(', ')

/** Reports of the last days, by the start of the period they cover. */
export async function dmarcSummary(workspaceId: string, domainId: string, now: Date) {
  const { domain } = await domainRow(workspaceId, domainId)
  const first = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS)
  const ask = async <T extends object>(sql: string): Promise<T[]> =>
    (await pool().query<T>(sql, [workspaceId, domainId, first])).rows
  const FROM = 'FROM dmarc_reports WHERE workspace_id = $1 AND domain_id = $2 AND begins_at >= $3'
  const [total, days, reporters, sources] = await Promise.all([
    ask<Counts & { reports: number }>(`SELECT count(*)::int AS reports, ${COUNTS} ${FROM}`),
    ask<Counts & { date: string }>(
      `SELECT to_char(begins_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, ${COUNTS} ${FROM} GROUP BY 1`,
    ),
    ask<{ org_name: string; messages: number }>(
      `SELECT org_name, sum(messages)::float8 AS messages ${FROM} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20`,
    ),
    ask<DmarcSummary['sources'][number]>(sourcesIn(FROM)),
  ])
  const { reports = 0, ...all } = total[0] ?? { messages: 0, passed: 0, quarantined: 0, rejected: 0 }
  const byDate = new Map(days.map((day) => [day.date, day]))
  return {
    domain_id: domainId,
    domain,
    reports,
    total: all,
    days: Array.from({ length: DAYS }, (_, index) => {
      const date = new Date(first.getTime() + index * DAY_MS).toISOString().slice(0, 10)
      const { messages = 0, passed = 0 } = byDate.get(date) ?? {}
      return { date, messages, passed }
    }),
    reporters,
    sources,
  }
}

const sourcesIn = (from: string) => `
  SELECT s.source_ip, s.header_from, sum(s.messages)::float8 AS messages,
    coalesce(sum(s.messages) FILTER (WHERE s.spf OR s.dkim), 0)::float8 AS passed,
    coalesce(sum(s.messages) FILTER (WHERE s.spf), 0)::float8 AS spf,
    coalesce(sum(s.messages) FILTER (WHERE s.dkim), 0)::float8 AS dkim,
    coalesce(sum(s.messages) FILTER (WHERE s.disposition = 'quarantine'), 0)::float8 AS quarantined,
    coalesce(sum(s.messages) FILTER (WHERE s.disposition = 'reject'), 0)::float8 AS rejected
  FROM (SELECT sources ${from}) r, jsonb_to_recordset(r.sources)
    AS s(source_ip text, header_from text, messages int, spf boolean, dkim boolean, disposition text)
  GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 50`
