import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { withoutGreeting } from '#lib/domain/inbox/intent/whole-answer'
import { wishIn } from '#lib/domain/inbox/intent/wish-context'
import { phrases } from '#lib/domain/inbox/phrases'

export type UnsubscribeRequest =
  /**
   * The mail created by a List-Unsubscribe link. Its token identifies the recipient once its signature is
   * verified.
   */
  | { by: 'token'; token: string }
  /** A reply that says nothing else. */
  | { by: 'words'; found: string }
  /** Mentioned among other things: a person should look at it. */
  | { by: 'mention'; found: string }

const TOKEN = /\b(u1\.[A-Za-z0-9_-]{64})(?![A-Za-z0-9_-])/
/** A token inside a link is one of our own, quoted from our mail. */
const BARE_TOKEN = /(?<![^\s<(])(u1\.[A-Za-z0-9_-]{64})(?![A-Za-z0-9_-])/

const WISHES = [
  'un-?subscribe( me)?( from (this|your|the|all|any)( mailing)?( list| mails?| emails?)?)?',
  '(please )?(remove|delete|take) (me|us|my (name|address|e-?mail( address)?))( off| from)?( (your|this|the|all|any)( mailing)?( lists?| database| mails?| emails?| records| crm)?)?',
  "(please )?(stop|do ?n[o']t|never) (e-?mail(ing)?|writ(e|ing)( to)?|contact(ing)?|mail(ing)?|messag(e|ing)|spam(ming)?|sending)( me| us)?( (any ?more|again|(any )?(more )?e-?mails?))?",
  'opt(ing)?[ -]?(me )?out',
  'no more (e-?mails?|mails?|messages)( please)?',
  'take me off( (your|this|the))?( mailing)? list',
  '(bitte )?(abmelden|abbestellen|austragen|mich (abmelden|austragen|löschen|entfernen))',
  '(bitte )?(keine (weiteren |mehr )?(e-?)?mails?( mehr)?|nehmen sie mich aus (dem|ihrem) verteiler|löschen sie meine (daten|adresse|e-?mail-?adresse))( bitte)?',
  "(merci de )?(me )?(désabonner|désinscrire|désabonnement|désinscription|ne plus (me|m')? ?(contacter|écrire))( svp| s'il vous plaît| merci)?",
  '(por favor )?(darme de baja|dar de baja|baja|no (quiero|deseo) recibir más( correos| emails)?|elimíname( de la lista)?)( por favor)?',
  '(per favore )?(cancellami|cancellatemi|disiscrivimi|rimuovetemi|cancellazione|disiscrizione)( dalla lista)?',
  '(graag )?(uitschrijven|afmelden|schrijf mij uit)( a\\.?u\\.?b\\.?)?',
  '(por favor )?(cancelar inscrição|descadastrar|remover( meu (e-?mail|endereço))?|remova-me)',
  'avregistrera( mig)?|avsluta prenumeration|afmeld( mig)?|meld (meg|mig) (av|af)',
  '(proszę o )?(wypisanie|wypisz mnie|usunięcie( mojego)?( adresu)?( z listy)?)',
  'отпишите(сь)?( меня)?|отписаться|退订|取消订阅|配信停止|購読解除|수신거부',
  '(bitte )?(entfernen|löschen|streichen|nehmen) sie (mich|uns|meine (e-?mail-?)?adresse) (von|aus) (der|dem|dieser|diesem|ihrer|ihrem) (e-?mail-?)?(liste|verteiler|mailingliste)',
  '(ich (möchte|will) )?(bitte )?keine (werbung|newsletter|weiteren e-?mails|e-?mails) mehr( (erhalten|bekommen|von ihnen))?|abmeldung',
  '(merci de |veuillez )?(me )?(retirer|retirez[- ]moi|supprimer|supprimez[- ]moi|désabonnez[- ]moi|désinscrivez[- ]moi)( de (votre|vos|cette) (listes?|base|fichiers?|mailing[- ]liste?))?',
  "je ne (souhaite|veux) plus recevoir (vos|de|d'autres) (e-?mails?|mails?|messages?)",
  '(por favor )?(elimíneme|elimínenme|bórreme|bórrenme|sáqueme|sáquenme|quíteme|quítenme) de (su|la|esta) lista|(quiero )?darme de baja',
  '(por favor )?no me (escriba|escriban|contacte|contacten) más|dejen? de (enviarme|mandarme) (correos|e-?mails|mensajes)|(desuscribir|desuscribirme|cancelar (la |mi )?suscripción)',
  '(per favore )?(rimuovetemi|rimuovimi|toglietemi|cancellatemi) dalla (vostra |tua )?(mailing )?list(a)?|non (scrivetemi|contattatemi|mi scriva|mi contatti) più',
  'non (voglio|desidero) più ricevere (vostre |le vostre |altre )?(e-?mail|mail)',
  '(graag )?verwijder (mij|me|ons) (uit|van) (uw|jullie|de|deze) (mailing)?lijst|ik wil geen (e-?)?mails? meer ontvangen',
  '(por favor )?(remova|retire|exclua)-me da (sua |vossa )?lista|não quero (mais )?receber (mais )?(e-?mails|mensagens)|parem? de (me )?enviar (e-?mails|mensagens)',
  '(proszę )?(mnie )?(wypisać|usunąć)( mnie| mój adres)? z (listy|bazy)|(proszę )?mnie wypisać|nie chcę (więcej )?otrzymywać (więcej )?(e-?)?(maili|wiadomości)',
  'ta bort mig från (listan|er lista|listor)|fjern (mig|meg) fra (listen|jeres liste|listen deres)',
  '(пожалуйста )?удалите меня из (вашей )?(рассылки|базы)|(больше )?не пишите мне( больше)?',
  '(lütfen )?beni listeden çıkarın?|abonelikten çık(ar)?',
  '配信(を)?停止してください|メールを(送らないで|止めて|停止して)ください|(请)?不要再(给我)?发(送)?邮件(了)?|수신 ?거부( 부탁드립니다)?',
].join('|')
const COURTESY =
  '(hi|hello|hey|dear( \\S\\S*)?|hallo|bonjour|hola|ciao|please|pls|bitte|kindly|no( thanks?| thank you)?|thanks?( you)?|thx|regards|best|cheers|merci|danke|gracias|grazie|obrigad[ao]|tack|takk|tak|dziękuję|svp|por favor|per favore|graag|stop|now|immediately|at once|asap)'
const SKIP = `(${COURTESY}|[ .,;:!?*"'“”()<>/–-])*`
const WHOLE = phrases(`${SKIP}(${WISHES}|stop|remove)${SKIP}`)
const SOMEWHERE = phrases(WISHES)
/** A longer text says more than this one request. */
const MAX_WHOLE = 160

/** Whether the mail asks for no more mail, and how clearly. */
export function unsubscribeRequest(mail: InboundMail): UnsubscribeRequest | null {
  const token =
    TOKEN.exec(mail.subject.slice(0, 1_000))?.[1] ?? BARE_TOKEN.exec(mail.new_text.slice(0, 1_000))?.[1]
  if (token) return { by: 'token', token }
  const text = mail.new_text.slice(0, 2_000)
  // The subject counts only if the person wrote it, not if it is the thread's.
  const subject = mail.subject.slice(0, 500).trim()
  const own = /^(re|aw|sv|antw|fwd?|wg)\s*:/i.test(subject) ? '' : subject
  const said = firstLines(text)
  if (said.length <= MAX_WHOLE && WHOLE.isWhole(said)) return { by: 'words', found: said.slice(0, 200) }
  if (text.length <= MAX_WHOLE && own.length <= 60 && WHOLE.isWhole(own)) return { by: 'words', found: own }
  for (const part of [said, text]) {
    const place = wishIn(SOMEWHERE, part)
    if (place) return { by: 'mention', found: part.slice(place.from, place.to) }
  }
  return null
}

/** The first block of text, without the name below it. */
function firstLines(text: string): string {
  const lines = text.split('\n')
  const firstBlock = (from: number) => {
    const end = lines.findIndex((line, at) => at > from && line.trim() === '')
    return { end, text: lines.slice(from, end === -1 ? undefined : end).join('\n') }
  }
  const first = firstBlock(0)
  // A greeting may be a block of its own.
  const isGreeting = first.end !== -1 && first.text.length < 25 && /[,!]$/.test(first.text.trimEnd())
  if (!isGreeting) return first.text.trim()
  const next = lines.findIndex((line, at) => at > first.end && line.trim() !== '')
  // The greeting itself is not part of the message.
  const above = withoutGreeting(`${first.text}\n`.toLowerCase()).from > 0 ? '' : `${first.text} `
  return `${above}${next === -1 ? '' : firstBlock(next).text}`.trim()
}
