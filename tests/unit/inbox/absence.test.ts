import { describe, expect, test } from 'vitest'
import { absentUntil, morningAfter } from '#lib/domain/calendar/working-days'
import { lastDayAway } from '#lib/domain/inbox/absence/absence'
import { returnDay } from '#lib/domain/inbox/absence/return-date'
import { eml, judge, LEAD } from '#tests/support/scenes/inbound-mail'

/** A Monday. */
const SENT = Date.parse('2026-11-23T10:00:00.000Z')
const lastDay = (text: string) => {
  const day = returnDay(text, SENT)
  return day && lastDayAway(day)
}

describe('the last day away', () => {
  test.each([
    ['I will be back on Monday 30 November.', '2026-11-29'],
    ['I am out of the office until 30 November.', '2026-11-30'],
    ['I am out of office until 5th Jan', '2027-01-05'],
    ['I will return to the office on November 30th, 2026.', '2026-11-29'],
    ['Back in the office Tuesday, 1st of December', '2026-11-30'],
    ['I am on annual leave from 23 November to 4 December and will reply on my return.', '2026-12-04'],
    ['I am away 23-30 November.', '2026-11-30'],
    ['Out of office Nov 23 – Dec 1', '2026-12-01'],
    ['Out November 23-27 with no access to mail', '2026-11-27'],
    ['On leave 23/11/2026 - 30/11/2026', '2026-11-30'],
    ['I am out through 12/4/2026.', '2026-12-04'],
    ['back on the 30th', '2026-11-29'],
    ['Available again from 3 December.', '2026-12-02'],
    ['I return on Thursday.', '2026-11-25'],
    ['I am back tomorrow.', '2026-11-23'],
    ['I will be back next week.', '2026-11-29'],
    ['until 2026-12-03', '2026-12-03'],
    ['Ich bin bis einschließlich 3.12. nicht im Büro.', '2026-12-03'],
    ['Ich bin bis einschl. 03.12.2026 abwesend.', '2026-12-03'],
    ['Ich bin vom 23.11. bis 30.11. im Urlaub.', '2026-11-30'],
    ['Vom 23.–30. November bin ich nicht im Haus.', '2026-11-30'],
    ['Ab dem 1. Dezember bin ich wieder für Sie da.', '2026-11-30'],
    ['Ich kehre am Montag, den 30. November zurück.', '2026-11-29'],
    ['Am 30.11. bin ich wieder im Büro.', '2026-11-29'],
    ['Ich bin bis zu meiner Rückkehr am 30.11. nicht erreichbar.', '2026-11-29'],
    ['Absent du 23/11 au 30/11.', '2026-11-30'],
    ['Je suis absente du 23 au 30 novembre inclus.', '2026-11-30'],
    ['Je serai de retour le lundi 30 novembre.', '2026-11-29'],
    ['Je suis en congés jusqu’au 4 décembre.', '2026-12-04'],
    ['Estaré fuera de la oficina hasta el 30 de noviembre.', '2026-11-30'],
    ['Vuelvo el 1 de diciembre de 2026.', '2026-11-30'],
    ['Sarò assente dal 23 al 30 novembre.', '2026-11-30'],
    ['Rientro in ufficio il 30 novembre.', '2026-11-29'],
    ['Ik ben afwezig t/m 30 november.', '2026-11-30'],
    ['Vanaf 1 december ben ik weer bereikbaar.', '2026-11-30'],
    ['Estou de férias até 30/11.', '2026-11-30'],
    ['Retorno no dia 30 de novembro.', '2026-11-29'],
    ['Jag är på semester till och med 30 november.', '2026-11-30'],
    ['Jag är tillbaka den 30 november.', '2026-11-29'],
    ['Jeg er på ferie til og med 30. november.', '2026-11-30'],
    ['Jeg er tilbage mandag den 30. november.', '2026-11-29'],
    ['Olen lomalla 30.11. asti.', '2026-11-30'],
    ['Jestem na urlopie do 30 listopada.', '2026-11-30'],
    ['Wracam 30 listopada.', '2026-11-29'],
    ['Jsem na dovolené do 30. listopadu.', '2026-11-30'],
    ['Я в отпуске до 30 ноября.', '2026-11-30'],
    ['Вернусь 30 ноября.', '2026-11-29'],
    ['30 Kasım’a kadar izindeyim.', '2026-11-30'],
    ['Θα απουσιάζω μέχρι 30 Νοεμβρίου.', '2026-11-30'],
    ['11月30日まで不在です。', '2026-11-30'],
  ])('%s → %s', (text, day) => expect(lastDay(text)).toBe(day))

  test.each([
    'Ich bin ab dem 24.11. im Urlaub.',
    'I am on leave from 24 November.',
    'I am out until 31 February.',
    'I am out until 5 January 2031.',
    'I was away until 3 October 2026.',
    'Call 030 1234 between 9.30 and 17.30 Uhr.',
    'Our office has moved. 30 November is the last day to visit us at 3/12 High Street.',
    'Version 3.12 is out.',
    'I am out of the office with limited access to email.',
    'I will get back to you within 1-2 business days.',
    'I will be back in 2-3 weeks.',
    'Ich bin in 2-3 Wochen wieder da und melde mich in 1-2 Werktagen zurück.',
    'De retour sous 1-2 semaines.',
    'Vuelvo en 1-2 semanas.',
    'Torno tra 2-3 giorni lavorativi.',
    'Ik ben terug over 2-3 maanden.',
    'Tillbaka om 1-2 veckor.',
    'Wracam za 2-3 dni robocze.',
    'Вернусь через 1-2 рабочих дня.',
    'Back in 1.5 days, and available 24/7.',
    'I am out until 5 October.',
    'Since 5 October I am back.',
    'I am out until 5/10.',
  ])('is not said by: %s', (text) => expect(lastDay(text)).toBeNull())
})

describe('the year of a day is the one that comes next, unless the day was lately', () => {
  test.each([
    ['2027-01-03', 'I am out until 28 December.', null],
    ['2027-01-03', 'Ich bin bis 28.12. im Urlaub.', null],
    ['2027-01-03', 'Out December 21-28', null],
    ['2027-01-03', 'I am out until 12/28.', null],
    ['2027-01-03', 'I am out until 5 January.', '2027-01-05'],
    ['2026-12-20', 'I am out until 5 January.', '2027-01-05'],
    ['2026-12-20', 'Closed 23.12.2026-02.01.2027', '2027-01-02'],
    ['2026-12-20', 'Out Dec 23 - 2 Jan', '2027-01-02'],
    ['2026-12-20', 'Out from December 23 to 2 January', '2027-01-02'],
    ['2026-11-23', 'On leave until 1 July.', '2027-07-01'],
    ['2026-11-23', 'I am out until Dec 2-3', '2026-12-03'],
    ['2026-11-23', 'November 23-30, 2026 out of the office', '2026-11-30'],
    ['2026-11-23', 'Back 30-Nov-2026', '2026-11-29'],
    ['2026-11-23', 'I am back on Monday 9am.', '2026-11-29'],
    ['2027-12-20', 'On leave until 29 February.', '2028-02-29'],
    ['2026-11-23', 'On leave until 29 February.', null],
  ])('sent on %s: %s → %s', (sent, text, expected) => {
    const day = returnDay(text, Date.parse(`${sent}T10:00:00.000Z`))
    expect(day && lastDayAway(day)).toBe(expected)
  })
})

describe('an absence holds until', () => {
  test.each([
    { last: '2026-11-30', zone: 'Europe/Berlin', until: '2026-12-01T08:00:00.000Z' },
    { last: '2026-11-29', zone: 'Europe/Berlin', until: '2026-11-30T08:00:00.000Z' },
    { last: '2026-12-04', zone: 'America/New_York', until: '2026-12-07T14:00:00.000Z' },
    { last: '2027-03-27', zone: 'Europe/Berlin', until: '2027-03-29T07:00:00.000Z' },
  ])('09:00 of the working day after $last in $zone', ({ last, zone, until }) => {
    expect(new Date(morningAfter(last, zone)).toISOString()).toBe(until)
  })

  test('seven days where no day is said', () => {
    expect(new Date(absentUntil(null, SENT, 'UTC')).toISOString()).toBe('2026-11-30T09:00:00.000Z')
  })
})

describe('an automatic answer', () => {
  const automatic = (text: string, subject = 'Automatic reply: Quick question') =>
    judge(
      eml(`Subject: ${subject}\nDate: Mon, 23 Nov 2026 10:00:00 +0000\nAuto-Submitted: auto-generated`, text),
    )

  test('says until when, in whose words, and whom to write to meanwhile', async () => {
    const { reading } = await automatic(
      `Hello,\n\nI am on leave until 30 November. For urgent matters please contact my colleague Bob Smith (bob.smith@lead.test) or write to ${LEAD}.`,
    )
    expect(reading.absence).toEqual({
      last_day: '2026-11-30',
      said: 'I am on leave until 30 November.',
      deputy: { email: 'bob.smith@lead.test', name: 'Bob Smith' },
    })
  })

  test.each([
    'Ich bin bis einschließlich 11.12. im Urlaub.',
    'Ich bin bis zum 30. November nicht im Büro.',
    'I am out of the office until Dec 1.',
  ])('is quoted to the end of its sentence: %s', async (said) => {
    expect((await automatic(`Hello. ${said} Please call Bob.`)).reading.absence).toMatchObject({ said })
  })

  test('without a day is an absence too', async () => {
    const { reading } = await automatic('Ich bin derzeit nicht im Büro.')
    expect(reading.absence).toEqual({ last_day: null, said: 'Ich bin derzeit nicht im Büro.', deputy: null })
  })

  test.each([
    ['We have received your request and answer within two days.', '[Ticket #481] received: Quick question'],
    ['Click to be let in.', 'Re: Quick question (verification required)'],
    [
      'Thank you for contacting us, we are back to you until 30 November.',
      'Thank you for contacting Lead Ltd',
    ],
  ])('that speaks of none holds nobody: %s', async (text, subject) => {
    const { kind, reading } = await automatic(text, subject)
    expect(kind).toBe('automatic_reply')
    expect(reading.absence).toBeNull()
  })
})
