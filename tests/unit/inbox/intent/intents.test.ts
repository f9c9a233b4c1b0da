import { describe, expect, test } from 'vitest'
import { readIntent } from '#lib/domain/inbox/intent/read-intent'
import { newText } from '#lib/domain/inbox/new-text'
import { KNOWN_REPLIES, UNSEEN_REPLIES } from '#tests/support/files/reply-texts'

const NOW = Date.UTC(2026, 10, 24, 10)

const reply = (text: string) => ({
  new_text: newText(text),
  from: { name: 'Grace', address: 'grace@corp.example' },
  recipients: [{ name: 'Ada', address: 'ada@ours.example' }],
})
const read = (text: string) => readIntent(reply(text), NOW)

const parse = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [intent = '', words = ''] = line.split(' | ')
      return { intent, text: words.replaceAll(' / ', '\n') }
    })

describe.each(Object.entries(KNOWN_REPLIES))('a reply in %s', (_, table) => {
  test.each(parse(table))('$intent: $text', ({ intent, text }) => {
    const said = read(text)
    expect(said?.intent ?? 'none').toBe(intent)
    if (said) expect(text).toContain(said.evidence)
  })
})

test('of replies that the rules never saw, at least 19 of 20 named intents are right', () => {
  const cases = parse(UNSEEN_REPLIES).map((one) => ({ ...one, read: read(one.text)?.intent ?? 'none' }))
  const named = cases.filter((one) => one.read !== 'none')
  const wrong = named.filter((one) => one.read !== one.intent)
  expect(wrong.length / named.length, JSON.stringify(wrong)).toBeLessThanOrEqual(0.05)
  expect(named.length).toBeGreaterThanOrEqual(20)
})

describe('the day to come back is', () => {
  test.each([
    ['Not now, try again in March.', '2027-03-01'],
    ['Not now, try again mid March.', '2027-03-15'],
    ['Contact me again after March.', '2027-04-01'],
    ['Reach out again in Q1.', '2027-01-01'],
    ['Reach out again next quarter.', '2027-01-01'],
    ['Reach out again next month.', '2026-12-01'],
    ['Get back to me in 3 weeks.', '2026-12-15'],
    ['Get back to me in a couple of months.', '2027-01-24'],
    ['Get back to me in half a year.', '2027-05-24'],
    ['Come back in the new year.', '2027-01-01'],
    ['Check back after Christmas.', '2027-01-02'],
    ['Follow up after the summer.', '2027-09-01'],
    ['Please reach out again on 15 January 2027.', '2027-01-15'],
    ['Melden Sie sich bitte nächste Woche wieder.', '2026-11-30'],
    ['Melden Sie sich bitte in drei Monaten wieder.', '2027-02-24'],
    ['Melden Sie sich bitte Anfang Februar wieder.', '2027-02-01'],
    ['Pas pour le moment, recontactez-moi dans deux semaines.', '2026-12-08'],
    ['Pas maintenant, recontactez-moi le mois prochain.', '2026-12-01'],
    ['Contácteme el próximo año.', '2027-01-01'],
    ['Non ora, mi ricontatti tra 2 mesi.', '2027-01-24'],
    ['Nu niet, mail me over drie weken.', '2026-12-15'],
    ['Not now, reach out again after Easter.', null],
    ['Not right now.', null],
    ['Reach out again in 2091.', null],
  ])('%s', (text, until) => {
    expect(read(text)).toMatchObject({ intent: 'later', until })
  })
})

describe('of a span that is under way it is what is left of it, and never the next one', () => {
  test.each([
    ['2026-11-24', 'Not now, contact me again at the end of November.', '2026-11-25'],
    ['2026-11-24', 'Contact me again at the end of this month.', '2026-11-25'],
    ['2026-11-30', 'Contact me again at the end of November.', '2026-12-01'],
    ['2026-11-24', 'Contact me again at the end of this quarter.', '2026-12-25'],
    ['2026-11-24', 'Contact me again at the end of Q4.', '2026-12-25'],
    ['2026-11-24', 'Contact me again in Q4.', null],
    ['2026-11-24', 'Contact me again later this quarter.', null],
    ['2026-11-24', 'Contact me again at the end of the year.', '2026-12-01'],
    ['2026-12-10', 'Contact me again at the end of the year.', null],
    ['2026-11-05', 'Contact me again in November.', null],
    ['2026-11-05', 'Contact me again in mid November.', '2026-11-15'],
    ['2026-11-24', 'Contact me again in mid November.', null],
    ['2026-05-10', 'Contact me again after Q2.', '2026-07-01'],
    ['2026-05-10', 'Contact me again at the end of Q3.', '2026-09-25'],
    ['2026-05-10', 'Contact me again in May.', null],
    ['2026-05-10', 'Contact me again in Q2.', null],
    ['2026-12-05', 'Contact me again in winter.', null],
    ['2027-01-10', 'Contact me again in winter.', null],
    ['2026-08-10', 'Contact me again at the end of summer.', '2026-08-25'],
    ['2026-09-02', 'Contact me again after the summer.', null],
    ['2026-07-10', 'Contact me again after the summer.', '2026-09-01'],
    ['2026-12-24', 'Contact me again after December.', '2027-01-01'],
    ['2026-11-24', 'Contact me again in March 2028.', '2028-03-01'],
    ['2026-11-24', 'Contact me again in Q2 2028.', '2028-04-01'],
    ['2026-11-24', 'Melden Sie sich bitte Ende November wieder.', '2026-11-25'],
    ['2026-11-24', 'Melden Sie sich bitte Ende des Monats wieder.', '2026-11-25'],
    ['2026-11-24', 'Pas maintenant, recontactez-moi à la fin du mois.', '2026-11-25'],
    ['2026-11-24', 'Nu niet, mail me eind november.', '2026-11-25'],
  ])('said on %s: %s → %s', (said, text, until) => {
    expect(readIntent(reply(text), Date.parse(`${said}T10:00:00Z`))).toMatchObject({ intent: 'later', until })
  })
})

describe('whom a reply names is', () => {
  test.each([
    ['Please contact Jane Doe at jane@corp.example.', { name: 'Jane Doe', email: 'jane@corp.example' }],
    ['Jane Doe is the right person for this.', { name: 'Jane Doe', email: null }],
    ['Please reach out to my colleague Bob Smith.', { name: 'Bob Smith', email: null }],
    ['Bitte wenden Sie sich an Frau Müller.', { name: 'Müller', email: null }],
    ['Wrong person, try bob@corp.example', { name: null, email: 'bob@corp.example' }],
    ['Please contact May Johnson.', { name: 'May Johnson', email: null }],
    ['Please speak to Ludwig van der Rohe.', { name: 'Ludwig van der Rohe', email: null }],
    ['Please talk to my colleague about it.', { name: null, email: null }],
  ])('%s', (text, referral) => {
    expect(read(text)).toMatchObject({ intent: 'referral', referral })
  })

  test.each([
    ['Got your email. Please contact Jane Doe.', 'Jane Doe'],
    ['Thanks for your email. Jane Doe is the right person for this.', 'Jane Doe'],
    ['Send an email to Jane Doe.', 'Jane Doe'],
    ['Danke für Ihre Mail, wenden Sie sich bitte an Frau Müller.', 'Müller'],
    ['Danke für die E-Mail mit dem Angebot. Bitte wenden Sie sich an Frau Müller.', 'Müller'],
  ])('after a word of the mail itself: %s', (text, name) => {
    expect(read(text)).toMatchObject({ intent: 'referral', referral: { name } })
  })

  test.each([
    'Ich habe keine E-Mail mit dem Angebot erhalten',
    'Ich habe Ihre E-Mail mit der Preisliste bekommen, danke.',
    'In der Mail mit dem Angebot fehlt der Preis.',
    'I have not received the email with Prices.',
    'I did not get an email from Jane Doe.',
    'I got no email from bob@corp.example.',
  ])('nobody, where a mail itself is meant: %s', (text) => {
    expect(read(text)?.intent).not.toBe('referral')
  })

  test('neither whoever wrote nor whoever was written to', () => {
    expect(read('I am not the right person (grace@corp.example wrote to ada@ours.example).')).toMatchObject({
      intent: 'wrong_person',
      referral: null,
    })
  })
})

describe('what somebody else wrote says nothing', () => {
  test.each([
    [
      'quoted',
      'See below.\n\nOn Mon, Nov 23, 2026 at 9:00 AM Ada <ada@ours.example> wrote:\n> Are you interested in a call?',
    ],
    [
      'a signature',
      'Received.\n\nBest regards,\nGrace\nBook a meeting: https://cal.example\nNot interested in fax',
    ],
    ['behind two hyphens', 'Received.\n-- \nSchedule a call with me'],
    ['a device', 'Received.\n\nSent from my iPhone, sounds great'],
  ])('%s', (_, text) => {
    expect(read(text)).toBeNull()
  })

  test('a closing that is all that was said is read', () => {
    expect(read('Thanks, we have no interest\n\nGrace')?.intent).toBe('not_interested')
  })
})

test('the evidence stands in the reply, over lines that a mail program broke', () => {
  const text =
    'Hello Ada, I am sorry to say that after all we are not at the\nmoment looking, and have no\ninterest.'
  const said = read(text)
  expect(said?.intent).toBe('not_interested')
  expect(text.replaceAll('\n', ' ')).toContain(said?.evidence.replaceAll('\n', ' '))
})

test.each([
  'not '.repeat(250_000),
  'interested, '.repeat(90_000),
  'a'.repeat(1_000_000),
  'why not '.repeat(125_000),
  'contact me again in '.repeat(50_000),
  'A@'.repeat(500_000),
  '\n'.repeat(1_000_000),
])('a megabyte is read at once (%#)', (text) => {
  const begun = process.cpuUsage()
  readIntent({ ...reply(''), new_text: text }, NOW)
  const { user } = process.cpuUsage(begun)
  expect(user / 1_000).toBeLessThan(2_000)
})
