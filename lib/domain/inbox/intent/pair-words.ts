// Words that mean something only together with others in one sentence (see word-pairs.ts). Same form as in
// intent-words.ts.

const either = (...lines: string[]) => lines.join('|')

export const DAY = either(
  'tue|tues|wed|weds|thu|thur|thurs|monday|tuesday|wednesday|thursday|friday|tomorrow|next week|this week|this afternoon|montag|dienstag|mittwoch|donnerstag|freitag|nachste woche|nachster woche|kommende woche|morgen',
  'lundi|mardi|mercredi|jeudi|vendredi|demain|la semaine prochaine|lunes|martes|miercoles|jueves|viernes|manana|la proxima semana|la semana que viene|lunedi|martedi|mercoledi|giovedi|venerdi|domani|la prossima settimana|settimana prossima',
  'maandag|dinsdag|woensdag|donderdag|vrijdag|volgende week|segunda|terca|quarta|quinta|sexta|amanha|proxima semana|semana que vem|mandag|tisdag|onsdag|torsdag|fredag|nasta vecka|imorgon|tirsdag|næste uge|neste uke|poniedzialek|wtorek|srode|czwartek|piatek|przyszlym tygodniu|jutro',
)

/** Wants to talk, or a time suits. */
export const TALK = either(
  'call|a chat|talk|speak|meet|meeting|invite|works (for|best)|suits|free|available|good for|zoom|teams|phone|telefonat|telefonieren|anrufen|gesprach|termin|sprechen|passt|ginge|zeit|videocall|meet',
  'appel|appeler|parler|rendez-vous|rdv|visio|disponible|dispo|libre|convient|invitation|llamada|videollamada|hablar|reunion|cita|encaja|va bien|viene bien|disponibles?|hablamos|chiamata|chiamo|chiama|sentirci|sentiamo|incontro|liber[oa]|va bene|riunione|parlarne|disponibile',
  'bellen|gesprek|afspraak|overleg|spreken|past|schikt|belafspraak|chamada|ligacao|ligar|conversar|falar|reuniao|disponivel|livre|mote|samtal|prata|ringa|passar|ledig|møde|opkald|snakke|passer|tale sammen|spotkanie|rozmowa|rozmowe|rozmowy|porozmawiac|zadzwonic|pasuje|dostepn[ya]',
)

/** Topics that somebody who considers an offer asks about. */
export const OFFER = either(
  'price|prices|pricing|cost|costs|fee|fees|trial|pilot|demo|results|clients|customers|references|integrate|integrates|integration|integrations|support|features|setup|onboarding|implementation|contract length|discount|quote|offer|package|packages|plan|plans|licen[cs]e|licen[cs]es|timeline|roi|security|gdpr|api|case studies|examples',
  'preis|preise|kosten|kostet|testphase|testversion|pilot|referenzen|kunden|schnittstelle|schnittstellen|integration|funktionen|einrichtung|laufzeit|angebot|paket|pakete|lizenz|lizenzen|dsgvo|datenschutz|beispiele|implementierung|einfuhrung|support|aufwand',
  'prix|tarif|tarifs|cout|couts|essai|pilote|references|clients|integration|integrations|fonctionnalites|mise en place|delai|delais|engagement|devis|offre|licence|licences|rgpd|exemples|accompagnement',
  'precio|precios|coste|costes|tarifa|tarifas|prueba|piloto|referencias|clientes|integracion|integraciones|funciones|plazo|plazos|implantacion|presupuesto|oferta|licencia|licencias|ejemplos|pasos|soporte|permanencia',
  'prezzo|prezzi|costo|costi|tariffa|tariffe|prova|pilota|referenze|clienti|integrazione|integrazioni|funzionalita|tempi|attivazione|preventivo|offerta|licenza|licenze|esempi|casi studio|caso studio|assistenza',
  'prijs|prijzen|kosten|tarief|tarieven|proefperiode|pilot|referenties|klanten|koppeling|koppelingen|integratie|integraties|functies|implementatie|doorlooptijd|offerte|licentie|licenties|voorbeelden|avg',
  'preco|precos|custo|custos|tarifas|teste|periodo de teste|piloto|referencias|clientes|integracao|integracoes|funcionalidades|prazo|prazos|implementacao|orcamento|proposta|licenca|licencas|exemplos|suporte',
  'pris|priser|kostnad|kostnader|provperiod|pilot|referenser|kunder|integration|integrationer|funktioner|offert|licens|licenser|exempel|prisforslag|pristilbud|prøveperiode|omkostninger|tilbud|lisens|cena|ceny|cene|koszt|koszty|kosztow|okres probny|pilotaz|referencje|klienci|klientow|integracja|integracje|funkcje|wdrozenie|wdrozenia|wycena|oferta|oferte|licencja|licencje|przyklady',
)

/** Questions that are not about an offer. */
export const DISTRUST = either(
  '(do|did) you mean|complain|complaints|scam|legit|legal|reddit|(bad|negative) reviews|trustpilot|my (address|e-?mail|name|details|contact|data|number)|(who|why|where) (are|is|did|do|gave)|spam|gdpr request|meine (adresse|daten|e-?mail|kontaktdaten|nummer)|woher|(mon|mes) (adresse|mail|e-?mail|coordonnees|contact)|(mi|mis) (correo|direccion|datos|contacto)|(il mio|la mia|i miei) (indirizzo|mail|e-?mail|dati|contatto)|mijn (adres|mailadres|gegevens|naam)|(meu|meus|minha) (e-?mail|dados|contat?o|endereco)|min (adress|mejl|mail|adresse)|moj (adres|mail)|moje dane',
  'our (customers|clients|prices|pricing|costs|products?)|(unsere|unseren) (kunden|preise|produkte)|nos (clients|prix|produits)|nuestros (clientes|precios|productos)|(nostri|nostre) (clienti|prezzi|prodotti)|onze (klanten|prijzen|producten)|nossos (clientes|precos)|vara (kunder|priser)',
)

/** With a negation: nothing is going to change. */
export const CHANGE = either(
  'plans|planning|planned|switch|switching|changing|considering|in need|wechsel|wechseln|geplant|vorgesehen|planen|anderung|bedarf|erforderlich|besoin|prevu|changer|changement|a l.ordre du jour|planes|previsto|cambiar|cambio|contemplamos|piani|previsto|cambiare|programmi|in programma',
  'plannen|van plan|overstappen|wisselen|aan de orde|veranderen|planos|previsto|mudar|trocar|prioridades|planer|byta|planerat|aktuellt|skifte|bytte|planlagt|zmian[aey]?|zmieniac|zmieniamy|planach|planujemy|zainteresowani|zainteresowan[aey]|interested|interessiert|interessati|interesados|interessados|geinteresseerd|intresserade|interesserede|interesserte|interesses',
)

/** A time in the future, as used to postpone. */
export const FUTURE = either(
  'autumn|fall|spring|summer|winter|new year|next (quarter|year|season|month)|in (january|february|march|april|may|june|july|august|september|october|november|december)|after the (summer|holidays|launch|merger|move|migration)|herbst|fruhjahr|fruhling|sommer|sommerpause|jahreswechsel|nachsten (quartal|jahr|monat)|neuen jahr',
  "automne|printemps|rentree|apres (l'ete|les vacances)|l'annee prochaine|otono|primavera|septiembre|enero|despues (de las vacaciones|del verano)|el proximo (ano|trimestre)|autunno|primavera|settembre|gennaio|dopo (le|l'estate|le ferie)|(l'anno|anno) prossimo",
  'najaar|voorjaar|zomer|zomervakantie|nieuwe jaar|volgend (jaar|kwartaal)|outono|janeiro|setembro|depois (das ferias|do verao)|(proximo ano|ano que vem)|hosten|host|varen|sommaren|semestern|efteraret|foraret|jesieni|wiosne|wiosna|wakacjach|przyszlym (roku|kwartale)|nowym roku',
)

/** Words for getting in touch again. */
export const AGAIN = either(
  'pick (this|it|that) up|talk|speak|discuss|look at (it|this|that)|shout|park (this|it)|daruber (reden|sprechen)|reden|sprechen|revoir|recontacter|ecrivez|rappelez|contactarme|escribeme|escribirme|fala|falar|falamos|pisac|tematu|ricontattarmi|riscriva|riscrivetemi|risentiamo|sentirci|probeer|mail|schrijf|hor av (dig|er)|hoer|prata|drop (me|us)|get in touch|touch base|ping|circle back|catch up|come back|try (me|us|again)|reach out|write (me|us|again)|contact|again|revisit|pick (this|it) up|melden|meldet|kontaktieren|noch einmal|nochmal|erneut|wieder|zuruckkommen|aufgreifen',
  'recontactez|recontacter|reparler|reparlons|revenir|revenez|relancez|relancer|a nouveau|retomemos|retomar|volvemos|volver|hablamos|hablemos|escribame|escribeme|de nuevo|riparliamo|riparliamone|risentiamoci|sentiamoci|ricontatti|ricontattatemi|di nuovo',
  'terugkomen|kom|contact|opnieuw|nog eens|weer|voltamos|volte|retomamos|retomar|novamente|de novo|contat?e|aterkom|hor av|igen|kontakta|vend tilbage|igjen|wrocmy|wrocic|odezwac|ponownie|kontakt',
  'reparle|reparlera|reviens|revenez|rappelle|check in|check back|contact me|write|ricontattaci|odezwe|wracac|komm(en)? sie|komm(t)?',
)

/** An hour, as written next to a day. */
export const HOUR = either(
  '(at |um |a |as |alle |om |kl |o |ab |after |before |around )?[0123456789][0123456789]?((.|:|h| |u)[0123456789]*)? ?(am|pm|h|uhr|uur|u|cet|gmt|ish|heures)|(at|um|as|alle|om|kl|kl.|o|a las|after|around) [0123456789][0123456789]?|morning|afternoon|vormittag|nachmittag|matin|apres-midi|por la manana|por la tarde|mattina|pomeriggio|ochtend|middag|manha|tarde|formiddag|eftermiddag|rano|po poludniu',
)

/** Reasons to put something off. */
export const BUSY = either(
  'budget (\\S\\S* )?(\\S\\S* )?(is|was) (\\S\\S* )?(gone|spent|used|exhausted)|no (budget|time|capacity|bandwidth)|(too|so|very|really|super) busy|swamped|snowed under|heads down|on leave|renewed|freeze|frozen|travelling|traveling|kein(e)? (zeit|kapazitat|budget)|viel (zu tun|los)|ausgelastet|keine luft|budget (\\S\\S* )?(erschopft|aufgebraucht|verplant)|pas le temps|plus de budget|debordee?s?|surchargee?s?|budget (\\S\\S* )?(boucle|epuise)',
  'no tenemos (tiempo|presupuesto)|sin (tiempo|presupuesto)|hasta arriba|muy liados?|desbordados?|non (abbiamo|ho) (tempo|budget)|troppo (presi|impegnati)|budget (\\S\\S* )?(finito|esaurito)|te druk|geen (tijd|budget|capaciteit)|sem (tempo|orcamento|verba)|muito ocupad[oa]s?|fullt upp|inte (tid|budget)|ingen (tid|budget)|nie (mamy|mam) (\\S\\S* )?(czasu|budzetu)|brak (czasu|budzetu)|budzet (\\S\\S* )?(\\S\\S* )?(\\S\\S* )?wyczerpany',
  'drowning|under water|chaos|crazy (busy|time)|hectic|tied up|maxed out|on our plate|on (holiday|vacation|parental leave|maternity leave)|away|in the middle of|until we|not ready|budget talks|zu viel los|land unter|umzug|umstellung|umbau|mitten in|im stress|hochsaison|ausgebucht|trop de travail|trop occupee?s?|en plein(e)?|demasiado (trabajo|lio)|mucho lio|en plen[oa]|in pieno|pien[io] di lavoro|midden in|verbouwing|ocupados|cheios de trabalho|mycket att gora|mitt i|duzo pracy|w trakcie|(ahora|agora|teraz|adesso|nu|maintenant) (\\S\\S* )?(imposible|impossivel|niemozliwe|impossibile|onmogelijk|omojligt|impossible)',
)
