/** What it would take to come nearer to a goal that is missed: by the part, and the beginning of what is measured. */
const NEARER: [part: string, what: string, nearer: string][] = [
  [
    'dispatch',
    'Dispatch of',
    'The loop marks one row for each mail. We also write who was claimed, the copy for the folder of sent mail, and what the lead waits for next: 280 statements and 4.4 MB of WAL for 1,000 mails (`cost`). Kept apart from the database, the copies would spare most of the WAL.',
  ],
  [
    'launch',
    '',
    'The foreign key to the campaign asks and locks for each row, a quarter of the time; who a row is gets looked up twice, and ten cells of each row are read (ADR 34). Checks that are made for a whole statement, as later versions of Postgres plan them, would spare the first.',
  ],
  [
    'policy',
    'The forecast',
    'Who has whom is read anew for each forecast: the leads of the campaign, who of them has begun elsewhere, and their join. A kept table of that would spare it, and would be one more thing to be right about (ADR 62).',
  ],
  [
    'import',
    'Import of 999,999',
    'Postgres computes 13 of 19 s, of which two indexes take the most, and 5 s go into handing lines on (ADR 82). A third core would do.',
  ],
  [
    'export',
    '',
    'Nearly all of the time one core writes csv. Rows that Postgres writes as csv itself would spare it, and could not tell formulas from texts.',
  ],
  [
    'personalize',
    'Peak memory',
    'What is held at the end does not grow; the peak is garbage that V8 has not cleared up yet.',
  ],
  [
    'search',
    '',
    'The row is of before a plan knew how far the index goes. What is left: an index reads all that it has of the workspace, 5 of 15 ms; trigrams with the workspace in their key would spare that.',
  ],
  [
    'idle',
    '',
    'Most of what the web process holds is the text of its modules and schemas; one bundle would be a third of it.',
  ],
  [
    'inbound',
    '',
    'What needs a decision of its own is still done for each email (ADR 85). On two cores the worker, the reader and Postgres share the time.',
  ],
]

/** Of rows of the table, those that miss their goal, as a list. */
export function nearer(rows: readonly string[]): string {
  const lines = rows
    .filter((row) => row.includes('**no**'))
    .map((row) => {
      const [part = '', what = ''] = row.split(' | ').map((cell) => cell.replace('| ', ''))
      const known = NEARER.find(([of, begin]) => of === part && what.startsWith(begin))
      return `- ${what}: ${known?.[2] ?? 'not looked into yet.'}`
    })
  return lines.length === 0 ? '' : `\n## What it would take to come nearer\n\n${lines.join('\n')}\n`
}
