/** For goals that are missed: what it would take to come closer, by part and the beginning of the measurement's name. */
const NEARER: [part: string, what: string, nearer: string][] = [
  [
    'dispatch',
    'Dispatch of',
    'The loop marks one row for each mail. We also write who was claimed, the copy for the folder of sent mail, and what the lead waits for next: 280 statements and 4.4 MB of WAL for 1,000 mails (`cost`). What keeping the copies apart from the database would spare was not measured.',
  ],
  [
    'forecast',
    'Forecast of',
    'Single runs took 390 to 577 ms, as the machine lets them. Half of it reads a hundred thousand rows, half walks half a million emails (ADR 91).',
  ],
  [
    'forecast',
    'Peak memory',
    'Two thirds of it are the modules of the services, before anything is forecast. Two forecasts add 60 MB: their plans of half a million emails, the rows read, and garbage.',
  ],
  [
    'launch',
    '',
    'Eight cells of each row are read and compared, each person is looked up, and the index on people, which the bare statement fills with nulls, is filled with them (ADR 89). Five and seven runs of one day gave 1.30 and 1.19, and the whole launch 1.51 and 1.40.',
  ],
  [
    'policy',
    'The forecast of one, walked',
    'Whoever is woken at an end and finds their person taken again has a turn of their own: two and a half times the turns. To spare one exactly it would have to be known whether it would have come by then, for each queue of its campaign.',
  ],
  [
    'policy',
    'A claim of 100 people who may begin',
    'It is at its border: 1.26 to 1.33 over four runs of one day. The locks of people, where they stand elsewhere, and who of their companies is under way are three statements more, for 100 who may all begin.',
  ],
  [
    'policy',
    'The forecast',
    'Who has whom is read anew for each forecast: the people of the campaign, and who has begun elsewhere; whom others have is put off once, a third more turns. A kept table of that would spare it, and would be one more thing to be right about (ADR 62).',
  ],
  [
    'import',
    'Import of 999,999',
    'Postgres computes two thirds of it, of which the index by address is the largest part that could go (ADR 82 and 92).',
  ],
  [
    'personalize',
    'Peak memory',
    'What is held at the end does not grow; the peak is garbage that V8 has not cleared up yet.',
  ],
  [
    'idle',
    '',
    'What the web process holds are texts of its modules (37 MB), 11,800 schemas, and the framework. One bundle of all modules was not tried. On AMD EPYC it is 15 MB more than on Xeon, with the same modules: the engine holds 51 MB and not 40.',
  ],
  [
    'soak',
    'Pages of lists over the API',
    'What is left comes with launches, imports and the vacuum of large tables, when both cores are busy (ADR 95 and 99).',
  ],
  [
    'inbound',
    '',
    'What needs a decision of its own is still done for each email (ADR 85). On two cores the worker, the reader and Postgres share the time.',
  ],
]

/** Of the table's rows, those that miss their goal, as a list. */
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
