/**
 * Replies as people write them, and their intent: one per line, `intent | words`, "/" for a new line. The rules were
 * written against these.
 */
export const KNOWN_REPLIES = {
  en: `
interested | Hi Ada, yes I'm interested. Can you tell me more?
interested | Sounds interesting, please send me some information.
interested | This looks promising. How much does it cost?
interested | I'd love to learn more about this.
interested | Why not, send over the details.
interested | Not only are we interested, we need it tomorrow.
interested | Sure, please send the deck.
interested | Could you share pricing?
interested | I can't wait to hear more, sounds great!
interested | Count me in.
meeting | Happy to have a call. Does Thursday work?
meeting | Let's schedule a call next week.
meeting | Can we talk on Tuesday at 3pm?
meeting | Please send me a calendar invite.
meeting | I'm free tomorrow after 2pm.
meeting | Book a slot in my calendar: https://cal.example/me
meeting | No problem, let's set up a meeting.
meeting | How about Wednesday?
meeting | I'm interested, could we jump on a quick call?
later | Not right now, but reach out again in March.
later | We're busy until the new year. Please get back to me in January.
later | Can you check back in 3 weeks?
later | Maybe next quarter.
later | Please contact me again in Q2.
later | Bad timing, we just signed with someone.
later | It's too early for us. Circle back in six months.
later | Interesting, but not at the moment.
later | Try me again after Easter.
later | Let's revisit this next year.
later | We're not interested right now, but contact me again in April.
referral | I'm not the right person. Please contact Jane Doe at jane@corp.example.
referral | Please reach out to my colleague Bob Smith.
referral | Jane Doe is the right person for this.
referral | I've left the company, please write to bob@corp.example instead.
referral | I have forwarded this to Peter Jones.
referral | Copying Maria Lopez who handles this.
wrong_person | I'm not the right person for this.
wrong_person | Wrong person, sorry.
wrong_person | I don't work there anymore.
wrong_person | She no longer works here.
wrong_person | That isn't my area, I'm not in charge of purchasing.
wrong_person | I have retired.
not_interested | Not interested.
not_interested | We are not currently interested, thanks.
not_interested | No thanks.
not_interested | Thanks, but we are all set.
not_interested | We don't need this.
not_interested | I'm afraid I am not at all interested in a demo.
not_interested | I'll pass, thank you.
not_interested | We already have a supplier.
not_interested | There is no interest on our side, however it sounds great.
not_interested | This is not for us.
not_interested | I don't think we would be interested.
not_interested | Nobody here is interested, never was.
stop | Stop emailing me.
stop | Not interested. Please remove me from your list.
stop | Do not contact me again.
stop | Interesting trick. Unsubscribe.
stop | Please don't write to me next week or ever.
none | Who are you?
none | Thanks for your message.
none | Are you interested in our SEO services?
none | Let me talk to Bob first.
none | If we were interested we would say so.
none | I will read it and see.
none | Not sure whether we are interested.
none | ok
stop | Hi Ada, / / Do not send me any more emails. / / Best regards, / Grace
stop | Kindly refrain from contacting me in future.
stop | I never signed up for this, delete all my data.
stop | I don't want to receive anything from you.
stop | I have reported this as spam.
interested | Yes
interested | Hi Ada, / / Yes! / / Best regards, / Grace Hopper / Head of Operations
interested | Sure, why not?
interested | Pricing?
interested | Let's see. Sounds good!
interested | I wasn't interested before, but now I am. Send the details.
not_interested | No.
not_interested | Hi, / / Thanks but no thanks / / Grace
not_interested | no thx
not_interested | Nope / / Grace Hopper / CEO
not_interested | Absolutely not
not_interested | We handle this internally.
not_interested | We decided to stay with what we have.
not_interested | I am going to have to decline.
not_interested | We don't have the budget for this.
later | Later
meeting | Call me
meeting | Tuesday at 3?
meeting | I can do Thursday 2pm
meeting | Here's my calendly: https://cal.example/me
referral | Jane Doe takes care of marketing here.
wrong_person | Not me
wrong_person | I think you've got the wrong John.
wrong_person | I left the company in March.
none | Do you build this in-house?
none | Can your tool delete all of my data records?
none | Please do not send me an invoice yet.
none | I'm interested to know why you have my address.
none | Yes. / / Let me first hear what my boss thinks of that.
none | We're not happy with our current vendor.`,
  de: `
interested | Guten Tag, das klingt interessant, bitte schicken Sie mir mehr Informationen.
interested | Wir sind grundsätzlich interessiert.
interested | Ja, gerne. Was kostet das?
interested | Warum nicht, senden Sie mir die Unterlagen.
meeting | Können wir telefonieren?
meeting | Gerne einen Termin vereinbaren, Donnerstag passt mir.
meeting | Rufen Sie mich morgen an.
later | Derzeit nicht, melden Sie sich bitte im März wieder.
later | Bitte melden Sie sich nächste Woche noch einmal.
later | Kommen Sie in drei Monaten wieder auf mich zu.
later | Aktuell kein Interesse, melden Sie sich im 2. Quartal wieder.
later | Vielleicht nächstes Jahr.
referral | Bitte wenden Sie sich an Frau Müller (mueller@firma.example).
referral | Zuständig ist Herr Thomas Schmidt.
referral | Bitte kontaktieren Sie meinen Kollegen Jan Peters.
wrong_person | Ich bin nicht der richtige Ansprechpartner.
wrong_person | Dafür bin ich nicht zuständig.
wrong_person | Frau Meier arbeitet nicht mehr bei uns.
not_interested | Kein Interesse.
not_interested | Vielen Dank, aber wir haben leider kein Interesse an einem Gespräch.
not_interested | Das interessiert uns nicht.
not_interested | Nein danke.
not_interested | Wir sind bereits gut versorgt.
not_interested | Das brauchen wir nicht.
stop | Bitte keine weiteren E-Mails.
stop | Schreiben Sie mir nicht mehr!
stop | Löschen Sie meine Daten.
none | Wer sind Sie?
stop | Bitte löschen Sie mich aus Ihrem Verteiler.
stop | Guten Tag, / / bitte entfernen Sie mich von der Liste.
stop | Nicht mehr anschreiben!
stop | Ich möchte keine Mails von Ihnen erhalten.
stop | Unterlassen Sie bitte weitere Kontaktaufnahmen.
interested | Ja
interested | Gerne!
not_interested | Nein
not_interested | Hallo Ada, / / Danke, kein Bedarf / / Viele Grüße / Grace
not_interested | Leider nein
not_interested | Wir sind mit unserem Anbieter sehr zufrieden.
not_interested | Das machen wir intern.
later | Bitte nächstes Jahr nochmal melden
later | Im Januar gerne wieder
later | Kommen Sie nach Weihnachten nochmal auf mich zu
meeting | Mittwoch 10 Uhr passt
meeting | Passt Ihnen Dienstag 14 Uhr?
meeting | Können wir mal telefonieren?
referral | Ich leite es an Herrn Schulze weiter.
referral | Das macht bei uns Frau Schulze.
wrong_person | Ich bin nicht mehr bei Acme.
none | Wir wollen keine Werbung machen.
none | Montag geht es wieder los.`,
  fr: `
interested | Bonjour, cela m'intéresse, pouvez-vous m'en dire plus ? Oui, volontiers.
interested | Nous sommes intéressés. Quels sont vos tarifs ?
interested | Pourquoi pas, envoyez-moi votre plaquette.
meeting | Pouvons-nous fixer un rendez-vous ?
meeting | Je suis disponible mardi, appelez-moi.
later | Pas pour le moment, recontactez-moi en mars.
later | Revenez vers moi dans trois mois.
later | Peut-être plus tard.
referral | Veuillez contacter Marie Dupont : marie.dupont@societe.example
referral | Je ne suis pas la bonne personne, merci de contacter ma collègue Claire Martin.
wrong_person | Je ne suis pas la bonne personne.
wrong_person | Il ne travaille plus chez nous.
not_interested | Pas intéressé.
not_interested | Nous ne sommes pas intéressés par un appel.
not_interested | Non merci.
not_interested | Cela ne nous intéresse pas.
not_interested | Nous n'avons pas besoin de ce service.
stop | Merci de ne plus me contacter.
stop | Ne m'écrivez plus, désabonnez-moi.
interested | Oui
not_interested | Non
not_interested | Nous faisons cela en interne.
meeting | Mardi 15h ?
referral | Voyez avec Paul Durand.
wrong_person | Mauvais destinataire
stop | Je ne souhaite plus recevoir vos emails.
stop | Veuillez me retirer de votre liste.`,
  es: `
interested | Hola, estamos interesados. ¿Cuánto cuesta?
interested | Me interesa, envíeme más información.
interested | Suena muy bien.
meeting | ¿Podemos agendar una llamada?
meeting | Estoy disponible el martes.
later | Ahora no, contácteme de nuevo en marzo.
later | Más adelante, quizás el próximo año.
later | Escríbame dentro de dos meses.
referral | Por favor contacte con Juan Pérez, juan@empresa.example
wrong_person | No soy la persona adecuada.
wrong_person | Ya no trabaja aquí.
not_interested | No me interesa.
not_interested | No, gracias.
not_interested | No estamos interesados en una reunión.
stop | No me escriba más.
stop | Deme de baja.
interested | Sí
not_interested | Lo hacemos internamente.
stop | Bájame de tu lista por favor
stop | No me manden más correos`,
  it: `
interested | Sono interessato, mi mandi maggiori informazioni.
interested | Sembra interessante, quanto costa?
meeting | Possiamo fissare una call?
meeting | Sono disponibile giovedì.
later | Non ora, mi ricontatti a marzo.
later | Al momento no, forse il prossimo anno.
referral | Può contattare Mario Rossi, mario@azienda.example
wrong_person | Non sono la persona giusta.
not_interested | Non siamo interessati.
not_interested | No grazie.
not_interested | Non ci interessa.
stop | Non mi scrivete più.
interested | Sì
stop | Non inviatemi più email`,
  nl: `
interested | Klinkt interessant, stuur me meer informatie.
interested | Ja graag!
meeting | Zullen we een afspraak maken?
meeting | Kunnen we volgende week bellen?
later | Nu niet, neem in maart weer contact op: mail me later dit jaar.
later | Misschien volgend jaar.
referral | U kunt contact opnemen met Jan de Vries, jan@bedrijf.example
wrong_person | Ik ben niet de juiste persoon.
not_interested | Geen interesse.
not_interested | We zijn niet geïnteresseerd.
not_interested | Nee, dank je.
stop | Mail me niet meer.
not_interested | Nee
referral | Neem contact op met Jan de Vries
stop | Stuur mij geen mails meer`,
  more: `
interested | Tenho interesse, pode enviar mais informações?
not_interested | Não temos interesse, obrigado.
meeting | Podemos marcar uma reunião?
later | Agora não, fale comigo em março.
interested | Vi är intresserade, skicka mer information.
not_interested | Nej tack, inte intresserade.
meeting | Kan vi boka ett möte?
later | Inte just nu, hör av dig igen i mars.
interested | Det lyder spændende, send gerne mere.
not_interested | Nej tak, vi er ikke interesserede.
later | Ikke lige nu, kontakt mig igen i marts.
not_interested | Ikke interessert.
interested | Jesteśmy zainteresowani, prosze o ofertę.
not_interested | Nie jesteśmy zainteresowani.
not_interested | Dziękuję, nie.
not_interested | Нет, спасибо.
interested | Интересно, пришлите подробнее.
not_interested | Nemáme zájem.
not_interested | Emme ole kiinnostuneita.
stop | Proszę mnie usunąć z listy
stop | Proszę więcej nie pisać
stop | Odhlásit
stop | Leiratkozás
later | Напишите мне в январе
meeting | Давайте созвонимся
later | Не сейчас`,
} as const

/** Replies that the rules were not written against: they measure how often the rules are right. */
export const UNSEEN_REPLIES = `
interested | Hey, thanks for reaching out - I'd be curious to see a demo video and pricing.
interested | Good timing, we are looking for exactly this. What are the next steps?
interested | Yes please!
meeting | I have time on Friday between 10 and 12, would that suit you?
meeting | Give me a ring tomorrow and we can go through it.
later | We've frozen spending. Ask me again when the new budget is approved in February.
later | Swamped this month, sorry. Ping me in a couple of weeks?
referral | You'd better speak with our CTO, Anna Berg (anna.berg@firm.example).
referral | Looping in Tom Baker from procurement.
wrong_person | Sorry, I think you have the wrong person.
wrong_person | I moved to a different team and don't deal with this any more.
not_interested | Appreciate the note but we're not in the market for this.
not_interested | We built this in-house so there is no need for it.
not_interested | Hard no.
stop | Take me off this list.
stop | You have emailed me five times. Stop it, leave me alone.
interested | Spannend! Schicken Sie mir bitte ein Angebot.
meeting | Lassen Sie uns nächste Woche telefonieren, Dienstag um 14 Uhr?
later | Im Moment haben wir andere Prioritäten, kommen Sie bitte im Herbst auf uns zu.
not_interested | Danke für Ihre Mail, aber wir möchten davon Abstand nehmen. Kein Bedarf.
wrong_person | Da sind Sie bei mir leider falsch.
stop | Nehmen Sie mich aus Ihrem Verteiler.
interested | C'est une bonne idée, pouvez-vous nous envoyer un devis ?
not_interested | Merci pour votre message mais nous ne sommes pas intéressés.
later | Nous sommes en plein déménagement, relancez-moi en janvier.
meeting | Je vous propose d'en discuter par téléphone jeudi.
interested | Parece interesante, ¿me puede enviar un presupuesto?
not_interested | Gracias, pero ya tenemos proveedor.
later | Hablemos en enero.
interested | Interessante, ci può mandare un preventivo?
not_interested | Grazie ma non siamo interessati al momento.
interested | Leuk, kunt u mij een offerte sturen?
not_interested | Wij hebben hier geen behoefte aan.
none | Received with thanks.
none | Who gave you my address?
none | I showed it to Carol, she liked the colours.
none | Wir prüfen das intern.
none | Bien reçu.
none | Where is your company based?
none | Lunch?`
