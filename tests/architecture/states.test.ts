import { describe, expect, test } from 'vitest'
import { CAMPAIGN_VERBS } from '#lib/domain/campaigns/campaign-status'
import { SESSION_VERBS } from '#lib/domain/datasets/session-moves'
import { LEAD_VERBS } from '#lib/domain/leads/lead-moves'
import { LEDGER_VERBS } from '#lib/domain/leads/ledger-moves'
import { RUN_VERBS } from '#lib/domain/personalize/run-moves'
import { TEXT_VERBS } from '#lib/domain/personalize/text-moves'
import { POST_VERBS } from '#lib/domain/social/post-moves'
import { type Source, sources } from '#tests/support/code/source-files'

/**
 * Each state is written in one file only, which takes guards and targets from the domain layer. Columns that hold
 * the state, by table; `model` is Prisma's name for the table.
 */
const STATES = [
  {
    table: 'campaigns',
    model: 'campaign',
    columns: ['status', 'paused_from', 'paused_reason', 'completed_at', 'next_slot_at', 'launched_at'],
    writer: 'lib/services/campaigns/state.ts',
  },
  {
    table: 'campaign_leads',
    model: 'campaignLead',
    columns: [
      'status',
      'current_step',
      'next_step',
      'next_action_at',
      'next_action_type',
      'next_sender_id',
      'last_event',
      'last_event_at',
      'reason',
      'reason_detail',
    ],
    writer: 'lib/services/leads/state/',
  },
  {
    table: 'actions',
    model: 'action',
    columns: ['status', 'outcome', 'recorded_at'],
    writer: 'lib/services/leads/ledger.ts',
  },
  {
    table: 'social_posts',
    model: 'socialPost',
    columns: [
      'status',
      'uncertain',
      'reference',
      'offered_at',
      'lease_until',
      'next_attempt_at',
      'published_at',
    ],
    writer: 'lib/services/posts/state.ts',
  },
  {
    table: 'dataset_sessions',
    model: 'datasetSession',
    columns: ['status', 'completed_at', 'next_index', 'error'],
    writer: 'lib/services/datasets/session-state.ts',
  },
  {
    table: 'workspace_imports',
    model: 'workspaceImport',
    columns: ['status', 'completed_at', 'read_bytes', 'result', 'error'],
    writer: 'lib/services/workspaces/archive/imports.ts',
  },
  {
    table: 'personalization_runs',
    model: 'personalizationRun',
    columns: [
      'status',
      'worker',
      'lease_until',
      'next_index',
      'idle_rounds',
      'error',
      'reviewed_at',
      'started_at',
      'completed_at',
    ],
    writer: 'lib/services/personalize/state/',
  },
  {
    table: 'generations',
    model: 'generation',
    columns: [
      'status',
      'called_at',
      'calls',
      'error',
      'generated_at',
      'edited_at',
      'approved_at',
      'seal',
      'approved_cells',
    ],
    writer: 'lib/services/personalize/state/',
  },
]

const ROOMS = /^(lib|inngest|app|scripts)\//
const files = sources().filter(({ file }) => ROOMS.test(file))

/** The text of each SQL statement that updates or inserts into `table`, up to the end of its template or string. */
function statements({ code }: Source, table: string): string[] {
  const begins = new RegExp(`(?:UPDATE|INSERT INTO)\\s+"?${table}"?\\b`, 'g')
  return [...code.matchAll(begins)].map(({ index }) => {
    const rest = code.slice(index)
    const quote = ['`', "'"].find((mark) => code.slice(0, index).split(mark).length % 2 === 0) ?? '`'
    return rest.slice(0, rest.indexOf(quote) < 0 ? undefined : rest.indexOf(quote))
  })
}

/** Columns that a statement sets; columns that it only reads do not count. */
function setsOf(sql: string): string[] {
  const insert = /^INSERT INTO\s+\S+(?:\s+AS\s+\w+)?\s*\(([^)]*)\)/.exec(sql)
  const named = insert?.[1]?.split(',').map((name) => name.trim().replaceAll('"', '')) ?? []
  const set = /\bSET\b([\s\S]*)$/.exec(sql)?.[1] ?? ''
  // A condition begins after WHERE or FROM outside of parentheses.
  let depth = 0
  let own = ''
  for (const word of set.split(/(\(|\)|\bWHERE\b|\bFROM\b|\bRETURNING\b)/)) {
    if (word === '(') depth++
    else if (word === ')') depth--
    else if (depth === 0 && /^(WHERE|FROM|RETURNING)$/.test(word)) break
    else if (depth === 0) own += ` ${word}`
  }
  return [...named, ...[...own.matchAll(/(?:^|,)\s*"?(\w+)"?\s*=/g)].flatMap((match) => match[1] ?? [])]
}

const PRISMA = 'create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert'

/** The `data` of each Prisma call that writes the model; the whole call where `data` is not a literal. */
function calls({ code }: Source, model: string): string[] {
  const begins = new RegExp(`\\.${model}\\.(?:${PRISMA})\\(`, 'g')
  return [...code.matchAll(begins)].map(({ index }) => {
    let depth = 0
    let end = index
    for (; end < code.length; end++) {
      if (code[end] === '(') depth++
      if (code[end] === ')' && --depth === 0) break
    }
    const call = code.slice(code.indexOf('(', index), end)
    return call.slice(Math.max(0, call.search(/\b(data|create|update)\s*(:|\b)/)))
  })
}

describe.each(STATES)('where $table stand', ({ table, model, columns, writer }) => {
  test(`is written by ${writer} alone`, () => {
    const found = files.flatMap((source) => {
      if (source.file.startsWith(writer)) return []
      const sql = statements(source, table).flatMap(setsOf)
      const prisma = calls(source, model).flatMap((data) =>
        columns.filter((column) => new RegExp(`\\b${column}\\b\\s*[:,}]`).test(data)),
      )
      return [...sql.filter((column) => columns.includes(column)), ...prisma].map(
        (column) => `${source.file}: ${column}`,
      )
    })
    expect(found).toEqual([])
  })

  test('and it does write them', () => {
    const own = files.filter(({ file }) => file.startsWith(writer))
    expect(own.flatMap((source) => statements(source, table)).length).toBeGreaterThan(0)
  })
})

test('the statement that moves leads is made for those who write where they stand', () => {
  const users = files.filter(({ code }) => code.includes("'#lib/services/leads/state/sql'"))
  expect(users.length).toBeGreaterThan(2)
  expect(users.filter(({ file }) => !file.startsWith('lib/services/leads/state/'))).toEqual([])
})

test('owners are notified by the module that tells, whatever of', () => {
  const writers = files.filter((source) => {
    const isTold = statements(source, 'notifications').some((sql) => sql.startsWith('INSERT'))
    return isTold || /\.notification\.(?:create|upsert)/.test(source.code)
  })
  expect(writers.map(({ file }) => file)).toEqual(['lib/services/telling/tell.ts'])
})

test('the reader of statements sees each way in which a column is written', () => {
  const code = [
    "client.query(`UPDATE campaigns c SET name = $1, status = CASE WHEN (x = 1) THEN 'a' END FROM p WHERE c.next_slot_at = 1`)",
    "client.query('UPDATE campaigns SET next_slot_at = $2 WHERE status = $1')",
    'client.query(`INSERT INTO campaigns AS c (workspace_id, status) VALUES ($1, $2)`)',
  ]
  const seen = code.map((line) => statements({ file: '', code: line }, 'campaigns').flatMap(setsOf))
  expect(seen).toEqual([['name', 'status'], ['next_slot_at'], ['workspace_id', 'status']])
  const [call] = calls(
    { file: '', code: 'db.campaign.update({ where: { status }, data: { name } })' },
    'campaign',
  )
  expect(call).toContain('data: { name }')
  expect(call).not.toContain('status')
})

test('every verb of a table moves something', () => {
  const services = files.filter(({ file }) => file.startsWith('lib/services/')).map(({ code }) => code)
  const idle = [
    ...CAMPAIGN_VERBS,
    ...LEAD_VERBS,
    ...LEDGER_VERBS,
    ...POST_VERBS,
    ...SESSION_VERBS,
    ...RUN_VERBS,
    ...TEXT_VERBS,
  ].filter((verb) => !services.some((code) => code.includes(`'${verb}'`) || code.includes(`_MOVES.${verb}`)))
  expect(idle).toEqual([])
})
