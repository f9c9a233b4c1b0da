import { closeDatabase, pool } from '#lib/db/client'
import { listDatasetRows } from '#lib/services/datasets/datasets'
import { searchTextSql } from '#lib/services/datasets/lead-search'
import { listCampaignLeads } from '#lib/services/leads/campaign-leads'
import { listPeople, SEARCHED } from '#lib/services/leads/people/list'
import { fillSearchesRound } from '#lib/services/leads/people/search-round'
import { median, oneDecimal, printNote, quantile, report, timed } from './harness.ts'
import { aCampaignOver, anOwner } from './seed.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000)
const SEARCHES = 100
const GOAL = { p50_ms: 20, p99_ms: 100 }
const page = { page: 1, page_size: 20 }

/** Names made of syllables, as many and as similar as real ones: about 4,000 first names, 60,000 last names, 50,000 companies. */
const SYLLABLES =
  'ba ber ko mal ni or pe rin sa ster ta ul ven wa xi zo hof mann ler dt ka lin mo ner os pra qui ras sen tor un vik wig yer zen ger bach feld berg stein a e i jo an na cla fi gru hei ingr jan kri lau'.split(
    ' ',
  )
const syllable = (n: string) =>
  `(ARRAY['${SYLLABLES.join("','")}'])[1 + (${n})::bigint % ${SYLLABLES.length}]`
const first = `initcap(${syllable('n * 7')} || ${syllable('n / 31')} || CASE WHEN n % 3 = 0 THEN ${syllable('n / 7')} ELSE '' END)`
const last = `initcap(${syllable('n / 3')} || ${syllable('n * 11 / 5')} || ${syllable('n / 17')})`
const company = `initcap(${syllable('c')} || ${syllable('c / 51')} || ${syllable('c * 7 / 3')} || ' ' || ${syllable('c / 13')})`

const owner = await anOwner()
const { workspace_id } = owner
printNote(`writing ${ROWS.toLocaleString('en')} rows, leads and people`)
const made = await pool().query<{ dataset_id: string }>(
  `INSERT INTO datasets (workspace_id, dataset_name, source_type, row_count, columns, updated_at)
   VALUES ($1, 'Search', 'csv', $2, '[]', now()) RETURNING dataset_id`,
  [workspace_id, ROWS],
)
const dataset_id = made.rows[0]?.dataset_id ?? ''
await pool().query(
  `INSERT INTO dataset_rows (dataset_id, workspace_id, lead_index, email, data)
   SELECT $1, $2, n, lower(first || '.' || last || n % 89 || '@' || replace(company, ' ', '') || '.example'),
     jsonb_build_object('first_name', first, 'last_name', last, 'company', company, 'title', 'Head of ' || n % 30, 'city', 'City ' || n % 500,
       'country', 'Country ' || n % 60, 'phone', '+49 30 ' || n, 'industry', 'Industry ' || n % 40)
   FROM (SELECT n, ${first} AS first, ${last} AS last, ${company} AS company
     FROM (SELECT n, n % 50000 AS c FROM generate_series(0::bigint, $3 - 1) n) n) people`,
  [dataset_id, workspace_id, ROWS],
)
const { campaign_id } = await aCampaignOver(owner, dataset_id, {
  steps_config: [{ subject: 'A word', message_template: 'x' }],
})
await pool().query(
  `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, next_step)
   SELECT $1, workspace_id, dataset_id, lead_index, email, 'completed', NULL FROM dataset_rows WHERE dataset_id = $2`,
  [campaign_id, dataset_id],
)
await pool().query(
  `INSERT INTO people (workspace_id, email, first_name, last_name, company, updated_at)
   SELECT workspace_id, lead_index || email, data ->> 'first_name', data ->> 'last_name', data ->> 'company', now() FROM dataset_rows
   WHERE dataset_id = $1`,
  [dataset_id],
)
await pool().query('VACUUM (ANALYZE) dataset_rows, campaign_leads, people')
printNote('filling')
const clock = () => new Date()
const filled = await timed(() => fillSearchesRound({ clock, until: new Date(Date.now() + 3_600_000) }))
await pool().query('VACUUM (ANALYZE) dataset_texts, people_texts')
await pool().query('CHECKPOINT')

/** Typical search terms in turns: a last name, a full name, a company, the beginning and the end of an address. */
const { rows: samples } = await pool().query<{ first: string; last: string; company: string; email: string }>(
  `SELECT data ->> 'first_name' AS first, data ->> 'last_name' AS last, data ->> 'company' AS company, email FROM dataset_rows
   WHERE dataset_id = $1 AND lead_index = ANY ($2)`,
  [dataset_id, Array.from({ length: SEARCHES }, (_, n) => (n * 7919 * 13) % ROWS)],
)
const asked = samples.map(({ first, last, company, email }, n) => {
  const [name = '', domain = ''] = email.split('@')
  return [last, `${first} ${last}`, company, name, domain][n % 5] ?? last
})

const lists: Record<string, (search: string) => Promise<unknown>> = {
  'dataset rows': (search: string) => listDatasetRows(workspace_id, dataset_id, { ...page, search }),
  'campaign leads': (search: string) =>
    listCampaignLeads(workspace_id, campaign_id, { ...page, search }, new Date()),
  people: (search: string) => listPeople(workspace_id, { ...page, search }, new Date()),
}
/** The former search, which reads every row. */
const through: Record<string, string> = {
  'dataset rows': `SELECT count(*) FROM dataset_rows r WHERE dataset_id = $1 AND (email LIKE $2 OR ${searchTextSql('r')} LIKE $2)`,
  'campaign leads': `SELECT count(*) FROM campaign_leads l JOIN dataset_rows r USING (dataset_id, lead_index)
     WHERE r.dataset_id = $1 AND (l.email LIKE $2 OR ${searchTextSql('r')} LIKE $2)`,
  people: `SELECT count(*) FROM people p WHERE $1::uuid IS NOT NULL AND ${SEARCHED} LIKE $2`,
}
for (const [name, list] of Object.entries(lists)) {
  const sql = through[name] ?? ''
  for (const search of asked.slice(0, 10)) await list(search)
  const times: number[] = []
  const reads: number[] = []
  for (const [n, search] of asked.entries()) {
    times.push((await timed<unknown>(() => list(search))).ms)
    if (n % 20 === 0)
      reads.push((await timed(() => pool().query(sql, [dataset_id, `%${search.toLowerCase()}%`]))).ms)
  }
  const [p50, p99, read] = [median(times), quantile(times, 0.99), median(reads)]
  report({
    what: `Search of ${ROWS.toLocaleString('en')} ${name} by name, company or part of an address: p50 / p99`,
    ours: `${oneDecimal(p50)} / ${oneDecimal(p99)} ms`,
    against: `${Math.round(read)} ms (all read through)`,
    ratio: (p50 / read).toFixed(3),
    goal: `≤ ${GOAL.p50_ms} / ${GOAL.p99_ms} ms`,
    met: p50 <= GOAL.p50_ms && p99 <= GOAL.p99_ms,
  })
}
const { rows: sizes } = await pool().query<{ mb: number }>(
  `SELECT round(sum(pg_total_relation_size(name::regclass)) / 1048576)::int AS mb FROM unnest(ARRAY['dataset_texts', 'people_texts']) name`,
)
report({
  what: `Filling the texts and indexes of both, in the background: ${sizes[0]?.mb} MB`,
  ours: `${Math.round((2 * ROWS) / (filled.ms / 1000)).toLocaleString('en')} rows/s`,
  against: '',
  ratio: '',
  goal: '',
  met: null,
})
await closeDatabase()
