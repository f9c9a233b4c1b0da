import type { Intent } from '#lib/domain/inbox/intent/intents'
import { phrases } from '#lib/domain/inbox/phrases'

const either = (...lines: string[]) => lines.join('|')

const DAYS = either(
  'today|tomorrow|monday|tuesday|wednesday|thursday|friday|heute|morgen|montag|dienstag|mittwoch|donnerstag|freitag|demain|lundi|mardi|mercredi|jeudi|vendredi',
  'manana|lunes|martes|miercoles|jueves|viernes|domani|lunedi|martedi|mercoledi|giovedi|venerdi|maandag|dinsdag|woensdag|donderdag|vrijdag|segunda|terca|quarta|quinta|sexta|amanha',
)
const HOUR =
  '(at|um|a|a las|alle|om|as|@)? ?[0123456789][0123456789]?(([.:h])[0123456789]*)? ?(am|pm|uhr|h|heures|uur|o.clock)?'

/** Answers that are meaningful only if they are the whole text. */
const WHOLE: readonly [Intent, string][] = [
  [
    'stop',
    'stop|stop it|stop this|remove|remove me|delete|abmelden|austragen|abbestellen|desinscription|desabonnement|baja|darse de baja|afmelden|uitschrijven|avregistrera|wypisz',
  ],
  [
    'not_interested',
    either(
      "no|nope|nah|no way|(absolutely|definitely|certainly|of course) not|no thx|no thanx|not really|not us|pass|i pass|i'll pass|we'll pass|hard pass|declined|nein|ne|leider nein|leider nicht|nicht|eher nicht|non|non desole|nee|nej|nei|nie|no lo creo",
      'nao|ne dekuji|nem|hayir|ei|нет|ні|не надо|не нужно|όχι|οχι|いいえ|不用|不需要|아니요|לא|لا',
    ),
  ],
  [
    'interested',
    either(
      "yes|yes i am|yes we are|yes i would|yep|yup|yeah|yea|yes indeed|sure|sure thing|sure,? why not|why not|definitely|absolutely|of course|go on( then)?|go ahead|i am|we are|i'm in|we're in|i'm interested|shoot|fire away|(more )?(info|infos|information|details|pricing|prices|price|cost|costs|demo)",
      'ja|jawohl|ja gern|gern|gerne|sehr gern|sehr gerne|klar|na klar|warum nicht|preis|preise|oui|oui volontiers|volontiers|pourquoi pas|bien sur|prix|tarif|tarifs|si|si claro|claro|por supuesto|precio|precios|certo|certamente|prezzo|prezzi|jazeker|zeker|prijs|prijzen|sim|claro que sim|preco|jo|javisst|jatack|ja tak|ja takk|tak poprosze|chetnie|ano|igen|da|evet|kylla|да|так|конечно|ναι|はい|是|好的|네|כן|نعم',
      "(let's|lets) (do it|go|do this)",
    ),
  ],
  [
    'later',
    either(
      'later|not now|not yet|some other time|another time|next year|next month|next quarter|after the holidays|in the new year|spater|noch nicht|jetzt nicht|nachstes jahr|nachsten monat|plus tard|pas maintenant|pas encore|mas tarde|mas adelante|ahora no|todavia no|piu tardi|piu avanti|non ora|non ancora|later misschien|nu niet|nog niet|mais tarde|agora nao|senare|inte nu|senere|ikke nu|ikke na|pozniej|nie teraz|позже|не сейчас|не сеичас|потом',
    ),
  ],
  [
    'meeting',
    either(
      `(call|ring|phone) (me|us)( back)?( (${DAYS}))?|give (me|us) a (call|ring)|(let's|lets) (talk|chat|speak|meet|connect)|(how about |what about |i am |i'm |we are |are you )?(free )?(on |am |el |le |il |op )?(${DAYS})( ${HOUR})?( (works|passt|ok|okay|is fine|is good|is ok))?|(passt|geht|ginge) (es |das )?(ihnen|dir|euch|bei ihnen|bei dir)?( am)? ?(${DAYS})?( ${HOUR})?`,
      'rufen sie (mich|uns) (bitte |gerne )?an|ruf(t)? (mich|uns) an|appelez-moi|appelez-nous|llameme|llamame|llamanos|chiamami|mi chiami|bel me|bel mij|ring mig|ring meg|ligue-me|me ligue|позвоните|созвонимся',
    ),
  ],
  [
    'wrong_person',
    either(
      "not me|wrong|not my job|not my (department|area|thing)|i'm not (him|her|them)|nicht ich|pas moi|no soy yo|non sono io|ik niet|nao sou eu|це не я|это не я",
    ),
  ],
]

const COURTESY =
  '(hi|hello|hey|hallo|bonjour|hola|ciao|thanks( a lot| so much)?|thank you( so much| very much)?|thx|ty|please|pls|cheers|sorry|danke( sehr| schon)?|vielen dank|bitte|merci( beaucoup)?|desole|gracias|muchas gracias|grazie( mille)?|bedankt|dank je|dank u|obrigad[oa]|tack|tak|takk|dziekuje|prosze|спасибо|regards|best|but|aber|mais|pero|ma)'
const SKIP = `(${COURTESY}|[ .,;:!?*"'()<>/+–-])*`

const ANSWERS = WHOLE.map(([intent, words]) => ({ intent, words: phrases(`${SKIP}(${words})${SKIP}`) }))

/** A longer text says something else as well. */
const MAX_CHARS = 80
const GREETING =
  /^(hi|hello|hey|dear|good (morning|afternoon|evening)|hallo|guten|liebe[rs]?|sehr geehrte[rs]?|moin|servus|gruezi|bonjour|bonsoir|salut|cher|chere|hola|buen[oa]s|estimad[oa]|ciao|salve|buongiorno|buonasera|gentile|egregio|beste|geachte|dag|goede|ola|bom|boa|prezad[oa]|hej|hei|god|dzien|czesc|witam|szanown[yai]|dobry|ahoj|здравствуи|добры|приве|уважаем)/

/** Removes a salutation such as "Hi Ada,". Expects plain letters. */
export function withoutGreeting(plain: string): { text: string; from: number } {
  const end = plain.indexOf('\n')
  const first = end === -1 ? '' : plain.slice(0, end).trim()
  const isGreeting = first.length <= 50 && /[,!:]$|^\S+( \S+)?$/.test(first) && GREETING.test(first)
  const from = isGreeting ? end + (plain.slice(end).match(/^\s*/)?.[0].length ?? 0) : 0
  return { text: plain.slice(from), from }
}

/** The intent of an answer of one or two words, with its position; the sender's name may follow. */
export function wholeAnswer(plain: string): { intent: Intent; from: number; to: number } | null {
  const { text, from } = withoutGreeting(plain)
  const [first = ''] = text.split(/\n\s*\n|\n/)
  const below = text.slice(first.length)
  // Only a name may follow, not another sentence.
  if (first.length > MAX_CHARS || below.trim().length > MAX_CHARS || /[.?!]\s*$/.test(below.trim()))
    return null
  const answer = ANSWERS.find(({ words }) => words.isWhole(first.trim()))
  return answer ? { intent: answer.intent, from, to: from + first.length } : null
}
