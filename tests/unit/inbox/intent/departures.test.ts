import { describe, expect, test } from 'vitest'
import { readInbound } from '#lib/domain/inbox/classify'
import { parseInbound } from '#lib/domain/inbox/inbound-mail'
import { readDeparture } from '#lib/domain/inbox/intent/departure'
import { bytes, eml, RECEIVED } from '#tests/support/scenes/inbound-mail'

const read = (new_text: string) =>
  readDeparture(
    {
      subject: 'Automatic reply: Quick question',
      new_text,
      from: { name: 'Ada', address: 'ada@lead.test' },
      recipients: [{ name: '', address: 'dana@sender.test' }],
    },
    RECEIVED,
  )

describe('an automatic answer says that its person has left, or that nobody reads its mailbox', () => {
  test.each([
    'Thank you for your email. I no longer work at Brightwater. Best, Ada',
    'I have left the company. My emails are deleted.',
    'As of 1 February I am no longer with Brightwater Logistics.',
    'Ada Lovelace is no longer employed by Brightwater.',
    'Ada Lovelace has left the company and this message will not be forwarded.',
    'This mailbox is no longer monitored.',
    'Please note that this email address is not monitored.',
    'You have reached an unmonitored mailbox.',
    'This account has been deactivated.',
    'Guten Tag, ich bin seit dem 1. Februar nicht mehr für die Brightwater GmbH tätig.',
    'Frau Lovelace ist nicht mehr bei uns beschäftigt.',
    'Herr Meier hat unser Unternehmen zum 31.01. verlassen.',
    'Dieses Postfach wird nicht mehr gelesen.',
    'Bonjour, je ne travaille plus chez Brightwater.',
    'Mme Lovelace a quitté l’entreprise.',
    'Cette adresse n’est plus consultée.',
    'Hola, ya no trabajo en Brightwater.',
    'Ada ya no forma parte de la empresa.',
    'Este buzón ya no se revisa.',
    'Buongiorno, non lavoro più in Brightwater.',
    'La dottoressa Lovelace ha lasciato l’azienda.',
    'Questa casella non è più monitorata.',
    'Beste, ik ben niet langer werkzaam bij Brightwater.',
    'Ada Lovelace is per 1 februari niet meer in dienst.',
    'Deze mailbox wordt niet meer gelezen.',
    'Olá, já não trabalho na Brightwater.',
    'A Ada não faz mais parte da empresa.',
    'Esta caixa de correio não é monitorada.',
    'Hej, jag arbetar inte längre på Brightwater.',
    'Ada har slutat hos oss.',
    'Denna e-postadress används inte längre.',
    'Hej, jeg arbejder ikke længere hos Brightwater.',
    'Hei, jeg jobber ikke lenger her.',
    'Dzień dobry, nie pracuję już w firmie Brightwater.',
    'Pani Lovelace nie jest już pracownikiem naszej firmy.',
    'Ten adres nie jest już używany.',
    'Ada Lovelace už zde nepracuje.',
    'Добрый день, я больше не работаю в компании.',
  ])('%s', (text) => {
    const said = read(text)
    expect(said).toMatchObject({ intent: 'wrong_person', until: null, referral: null })
    expect(text).toContain(said?.evidence)
  })

  test.each([
    ['I have left Brightwater', 'I am out of the office until 9 March.'],
    ['away', 'I am on parental leave until June. My colleague Bob Smith has left the company.'],
    ['away', 'I am on vacation. This mailbox is not monitored while I am away.'],
    ['away', 'Ich bin im Urlaub. Ihre E-Mail wird nicht weitergeleitet und nicht gelesen.'],
    ['away', 'Je ne suis plus au bureau jusqu’à lundi, en vacances.'],
    ['gone for the day', 'I have left the office for today.'],
    [
      'receipt',
      'We have received your request. Please do not reply, this mailbox is not monitored. We will get back to you.',
    ],
    ['receipt', 'Danke für Ihre Nachricht. Diese Adresse wird nicht überwacht, wir melden uns in Kürze.'],
    ['hours', 'Our office is open from 9 to 5.'],
    ['thanks', 'Thank you for your email, I will reply as soon as I can.'],
  ])('and not: %s: %s', (_, text) => {
    expect(read(text)).toBeNull()
  })
})

describe('whom to write to instead is read as from a person', () => {
  test.each([
    [
      'I no longer work here. Please contact Jane Doe (jane.doe@lead.test).',
      { name: 'Jane Doe', email: 'jane.doe@lead.test' },
    ],
    [
      'Ich bin nicht mehr bei Brightwater. Bitte wenden Sie sich an Petra Klein, petra.klein@lead.test.',
      { name: 'Petra Klein', email: 'petra.klein@lead.test' },
    ],
    ['I have left the company. My new address is ada@new.test.', { email: 'ada@new.test' }],
    [
      'This mailbox is no longer monitored, please write to info@lead.test',
      { name: null, email: 'info@lead.test' },
    ],
  ])('%s', (text, referral) => {
    expect(read(text)).toMatchObject({ intent: 'referral', referral })
  })
})

test('only an automatic answer is read so, and what was quoted is not', async () => {
  const automatic = eml(
    'Subject: Automatic reply: Quick question\nAuto-Submitted: auto-replied',
    'Hello, I am away.\n\nOn Monday Dana wrote:\n> I no longer work here.',
  )
  expect(readInbound(await parseInbound(bytes(automatic)), RECEIVED)).toMatchObject({
    form: 'automatic',
    intent: null,
    absence: { said: expect.any(String) },
  })
})
