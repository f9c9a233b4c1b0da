/**
 * Phrases that spam filters, and lists of their rules, name. A single one does no harm; several in a mail to a stranger do.
 * Limited to phrases that hardly occur in honest business mail; everyday words of the sources ("offer", "price") are left out.
 * Lower case, words separated by one space, at most six words each.
 */
export const SPAM_PHRASES: Record<'en' | 'de' | 'fr' | 'es', { source: string; phrases: string[] }> = {
  en: {
    source: 'https://github.com/apache/spamassassin/blob/trunk/rules/20_phrases.cf',
    phrases: list(
      `100% guaranteed; 100% free; dear friend; dear sir or madam; dear investor; million dollars; strong buy;
      stock alert; investment advice; urgent assistance; urgent proposal; urgent reply; urgent response;
      urgent business; money back guarantee; free quote; no obligation quote; bad credit; eliminate debt;
      refinance your home; no medical exam; lose weight; weight loss; burn fat; financial freedom;
      financially independent; one time offer; one time investment; join millions; join thousands;
      marketing partner; lowest price; unclaimed money; unclaimed funds; act now; affordable prices; risk free;
      no strings attached; this is not spam; click here; click below; buy now; order now; make money; earn extra cash;
      double your income; work from home; limited time offer; you have been selected; congratulations you won`,
    ),
  },
  de: {
    source:
      'http://www.e-business-unternehmensberatung.com/blog/spam-begriffe-und-spam-phrasen-vermeiden-40-typische-spam-woerter/',
    phrases: list(
      `100% garantiert; 100% kostenlos; kaufen kaufen kaufen; jetzt kaufen; jetzt bestellen; hier klicken;
      klicken sie hier; geld verdienen; schnell geld; geld zurück garantie; ohne risiko; sie haben gewonnen;
      herzlichen glückwunsch sie haben; nur für kurze zeit; nur noch heute; von zuhause arbeiten;
      finanzielle freiheit; abnehmen ohne diät; sofort handeln; kein spam; einmalige gelegenheit`,
    ),
  },
  fr: {
    source: 'https://comarketing-news.fr/ces-mots-qui-declenchent-la-mise-en-spam/',
    phrases: list(
      `100% gratuit; essai gratuit; sans frais; cliquez ici; argent facile; gagner de l argent; gagnez de l argent;
      vente privée; offre exceptionnelle; opportunité unique; perdre du poids; sans risque; satisfait ou remboursé;
      vous avez gagné; agissez maintenant; achetez maintenant; liberté financière; revenu complémentaire;
      cher ami; ceci n est pas un spam; durée limitée`,
    ),
  },
  es: {
    source:
      'https://www.eltiempo.com/tecnosfera/tutoriales-tecnologia/cuales-son-las-palabras-que-hacen-que-el-correo-electronico-lo-confunda-con-un-spam-815236',
    phrases: list(
      `100% gratis; 100% satisfecho; ingresos adicionales; ganar dinero extra; dinero fácil; libertad financiera;
      ser tu propio jefe; actuar inmediatamente; haga clic aquí; haz clic aquí; dinero en efectivo; mucho dinero;
      información gratuita; inversión gratuita; solo para clientes nuevos; sin riesgo; esto no es spam;
      oferta por tiempo limitado; eres un ganador; has sido seleccionado; mejor oferta; querido amigo`,
    ),
  },
}

function list(phrases: string): string[] {
  return phrases.split(';').map((phrase) => phrase.trim().replace(/\s+/g, ' '))
}

/** By first word: at most positions of a text, no phrase begins. */
const BEGINNING_WITH = Map.groupBy(
  Object.values(SPAM_PHRASES).flatMap(({ phrases }) => phrases.map((phrase) => phrase.split(' '))),
  ([first = '']) => first,
)

/** The phrases in a text, each once, in reading order; of two that begin at the same word the shorter comes first. */
export function spamPhrases(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}%]+/gu) ?? []
  const phrases = new Set<string>()
  for (const [from, word] of words.entries()) {
    const begun = BEGINNING_WITH.get(word)?.filter((phrase) =>
      phrase.every((one, at) => words[from + at] === one),
    )
    for (const phrase of begun?.toSorted((a, b) => a.length - b.length) ?? []) phrases.add(phrase.join(' '))
  }
  return [...phrases]
}
