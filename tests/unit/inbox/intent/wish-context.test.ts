import { describe, expect, test } from 'vitest'
import { readIntent } from '#lib/domain/inbox/intent/read-intent'
import { eml, judge, OUR_ID } from '#tests/support/scenes/inbound-mail'

const NOW = Date.UTC(2026, 10, 24, 10)
const read = (new_text: string) =>
  readIntent({ new_text, from: { name: 'Grace', address: 'grace@corp.example' }, recipients: [] }, NOW)
    ?.intent ?? 'none'

describe('words of a stop that ask for none', () => {
  test.each([
    "Please don't stop sending these, I love them.",
    "Don't stop writing to me!",
    "I can't stop thinking about your offer.",
    'We would like to stop sending emails by hand, can you help us?',
    'We need to stop sending newsletters ourselves.',
    'Our customers tell us to stop emailing them; can your tool help?',
    'What is your unsubscribe rate?',
    'Can your tool let people unsubscribe?',
    'They never contact us, you did.',
    'There are no more messages in my inbox from you, what happened?',
    'We have no more emails left in our plan.',
    'You can take us out for lunch any time.',
    'Could you take us through it?',
    'Ich habe keine Mails von Ihnen bekommen.',
    'Es kam keine Mail an.',
    'Ik heb geen mails meer ontvangen.',
    'You should remove yourself from spam lists.',
    'Can you help to remove us from spam lists? Our own emails land in junk.',
    'Does your tool remove us from spam filters?',
    'Sie sollten sich von den Spamlisten nehmen lassen.',
    'Können Sie uns helfen, von Spamlisten gelöscht zu werden?',
  ])('%s', async (text) => {
    expect(read(text)).not.toBe('stop')
    const { reading, kind } = await judge(eml(`In-Reply-To: ${OUR_ID}`, text))
    expect([kind, reading.unsubscribe]).toEqual(['reply', null])
  })

  test.each([
    'You never stop emailing me.',
    "I asked you and you don't stop sending.",
    'You need to stop sending these emails.',
    "I'd like you to stop writing.",
    'I have asked to stop sending emails.',
    'I want this company to stop sending emails.',
    'I would like to stop these emails.',
    'I want no more emails.',
    'I said never contact me again.',
    'The unsubscribe link does not work.',
    'Remove us from your spam list.',
    'Please remove us from spam lists.',
    'Can you help and remove me from your spam list?',
    'Can you help me? Remove me from spam lists like this one!',
    'Nehmen Sie uns von Ihrer Spamliste.',
    'Nehmen Sie mich bitte aus dieser Spam-Liste.',
    'Take me out of your list.',
    'Ich habe keine Mails bestellt.',
    'Ich möchte keine Mails mehr.',
    'Ik wil geen mails meer ontvangen.',
    "Please don't stop there: also, stop emailing me.",
  ])('but: %s', (text) => expect(read(text)).toBe('stop'))
})

describe('words of a refusal that refuse nothing', () => {
  test.each([
    ["I'm good, thanks! How are you? Yes, tell me more.", 'interested'],
    ["We're good to go, book a call on Monday.", 'meeting'],
    ['All set for Monday at 10, send an invite.', 'meeting'],
    ['I will pass this on to my colleague.', 'none'],
    ["We'll pass on Friday but Monday works", 'meeting'],
    ["I'll have to pass on Tuesday, does Wednesday at 3pm work?", 'meeting'],
    ["We're going to pass on the Friday slot, Monday works for us.", 'meeting'],
    ["We'll pass on Friday.", 'none'],
    ['Freitag passt nicht, aber Montag geht.', 'meeting'],
    ['Freitag passt uns leider nicht, Montag passt.', 'meeting'],
    ['Am Freitag kann ich nicht, aber Montag um 10 Uhr ginge.', 'meeting'],
    ['Montag geht es wieder los, Freitag passt mir nicht.', 'none'],
    ["I'll pass it to Jane.", 'none'],
    ['We already have a question: how much does it cost?', 'interested'],
    ['We are not looking for the cheapest one, tell me more.', 'interested'],
    ['There is no budget problem. Send me pricing.', 'interested'],
    ['No interest rate is that low. Tell me more.', 'interested'],
    ['We have decided to go with your product.', 'none'],
    ['Happy with what we have seen, book a demo.', 'meeting'],
    ["It's not something we have seen before, tell me more.", 'interested'],
    ['This is no longer a problem, tell me more.', 'interested'],
    ['Das passt leider nicht am Montag, aber Dienstag passt mir.', 'meeting'],
    ['Ich habe schon einen Termin mit Ihrem Kollegen.', 'none'],
    ["Je ne souhaite pas manquer cela, envoyez-moi plus d'infos.", 'interested'],
    ['Nous travaillons déjà avec vous.', 'none'],
    ['Abbiamo già un appuntamento con voi.', 'none'],
    ['Wij hebben al een afspraak staan.', 'none'],
    ['Har redan en tid bokad, ring mig.', 'meeting'],
  ])('%s', (text, intent) => expect(read(text)).toBe(intent))

  test.each([
    "I'm good, thanks.",
    'We are all set, thanks.',
    "We'll pass on this one.",
    "We'll pass on the call.",
    'Das passt leider nicht zu uns.',
    'We already have a budget tool.',
    'Not looking at the moment.',
    'No budget.',
    'We decided to go with your competitor.',
    'Das passt nicht zum Unternehmen.',
    'Nous avons déjà un prestataire.',
  ])('but: %s', (text) => expect(read(text)).toBe('not_interested'))
})
