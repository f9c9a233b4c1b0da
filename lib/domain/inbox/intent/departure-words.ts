// Words in lower case without accents (see foldText), in the languages of intent-words.ts. Up to four words
// may stand in between, such as a date.

const either = (...lines: string[]) => lines.join('|')
const ANY = '(\\S\\S* )?(\\S\\S* )?(\\S\\S* )?(\\S\\S* )?'

/** The mailbox's owner says that they have left. */
export const I_LEFT = either(
  "i (no longer work|don't work anymore|do not work anymore) (here|there|at|for|with|in (the|this|that))|(i am|i'm) no longer (with|at|working (here|for|at|with)|employed|part of|an? (active )?(employee|member))|(i have|i've|i) (now |recently |since |permanently )?left (the |my |our |this )?(company|firm|organi[sz]ation|business|position|role|job)|(i have|i've) (now |recently |since )?(moved on from|retired|resigned)|i (am|'m) (now )?retired|my (last|final) (working )?day (at|with|in) (\\S\\S* )?\\S\\S* was|my employment (with|at) (\\S\\S* )?\\S\\S* (has )?ended|i('ve| have) changed (jobs|employers|companies)",
  `(ich bin|bin ich) ${ANY}nicht (mehr|langer) (bei|fur|hier|teil|im unternehmen|in (der|dieser|unserer) firma|in (diesem|unserem) unternehmen)|(ich arbeite|arbeite ich) ${ANY}nicht (mehr|langer) (bei|fur|hier|in|im)|ich habe (das unternehmen|die firma|\\S\\S*) ${ANY}verlassen|(ich bin|bin ich) ${ANY}(aus (dem unternehmen|der firma)|aus dem dienst) ausgeschieden|(ich bin|bin ich) ${ANY}im ruhestand|mein letzter (arbeitstag|tag) (bei|war)`,
  "je ne (travaille plus|fais plus partie|suis plus (en poste|employee?|salariee?|chez|au sein|dans (l'entreprise|la societe)))|je n'(exerce|occupe|appartiens) plus|j'ai quitte (l'entreprise|la societe|mes fonctions|mon poste|le groupe|l'organisation)|je suis (desormais |maintenant )?a la retraite",
  'ya no (trabajo|formo parte|pertenezco|estoy (en la empresa|en la compania|trabajando))|(he dejado|deje) (la empresa|la compania|mi puesto|de trabajar)|me he jubilado',
  "non lavoro piu|non (sono|faccio) piu (parte|dipendente|in (azienda|servizio|forza)|alle dipendenze)|ho lasciato (l'azienda|la societa|il gruppo|l'organizzazione)|non collaboro piu|sono (ora )?in pensione",
  `ik ben ${ANY}(niet meer|niet langer) (werkzaam|in dienst|verbonden)|(ben|werk) ik ${ANY}(niet meer|niet langer) (werkzaam|in dienst|verbonden|bij|voor|hier)|ik werk ${ANY}(niet meer|niet langer) (bij|voor|hier|binnen)|ik heb (de organisatie|het bedrijf|\\S\\S*) ${ANY}verlaten|ik ben ${ANY}(uit dienst|met pensioen)`,
  'nao trabalho mais|ja nao (trabalho|faco parte|pertenco)|nao (faco|estou) mais (parte|na empresa)|deixei (a empresa|de trabalhar|a organizacao)|estou (aposentad[oa]|reformad[oa])',
  `jag (jobbar|arbetar) inte langre|(jag har|har jag) ${ANY}(slutat|lamnat) (min|mitt|pa|hos|foretaget|bolaget)|jag ar ${ANY}inte langre (anstalld|kvar|verksam)|jag har gatt i pension`,
  'jeg (arbejder|arbeider|jobber) ikke (længere|lenger)|jeg er ikke (længere|lenger) (ansat|ansatt|hos|i (virksomheden|firmaet|selskapet|bedriften))|jeg (har|er) (forladt|forlatt|sluttet i|sluttet hos|sluttet pa|fratradt|stoppet (i|hos))',
  '(ja )?(juz nie pracuje|nie pracuje juz)|nie jestem juz (pracownikiem|zatrudnion[ya])|zakonczyl(em|am) (prace|wspolprace)|(odszedlem|odeszlam) z',
  'uz (zde |tu |tady )?nepracuji|jiz (zde )?nepracuji|en (ole|tyoskentele) enaa (toissa|yrityksessa|palveluksessa|taalla)|я больше не работаю|я уволил(ся|ась)|artik \\S\\S* calismiyorum|artik calismiyorum',
)

/** Somebody else says so about them: "Ada Lovelace has left the company". */
export const THEY_LEFT = either(
  '(has|have) (now |recently |since )?(left|departed) (the |our |this )?(company|firm|organi[sz]ation|business|team)|left the (company|firm|organi[sz]ation)|(is|are) (now )?no longer (with|at|working (here|for|at|with)|employed|part of|an? (active )?(employee|member))|no longer works? (here|at|for|with)|(has|have) (now |recently |since )?(retired|resigned|passed away|moved on from)',
  `(ist|sind) ${ANY}nicht (mehr|langer) (bei uns|fur uns|hier (tatig|beschaftigt)|im unternehmen|in (unserem|diesem) unternehmen|teil|bei (der |dem )?(\\S\\S* )?\\S\\S* (tatig|beschaftigt|angestellt))|nicht (mehr|langer) (tatig|beschaftigt|angestellt)|(hat|haben) (unser unternehmen|das unternehmen|unsere firma|die firma|unser haus) ${ANY}verlassen|arbeitet ${ANY}nicht (mehr|langer) (bei|fur|hier|in)|ist ${ANY}(aus (dem|unserem) unternehmen|aus der firma) ausgeschieden|ist ${ANY}im ruhestand`,
  "ne (travaille plus|fait plus partie)|n'est plus (en poste|employee?|salariee?|chez|au sein|dans (l'entreprise|la societe)|parmi nous)|a quitte (l'entreprise|la societe|notre (entreprise|societe|groupe|equipe)|ses fonctions|son poste|le groupe|l'organisation)",
  'ya no (trabaja|forma parte|pertenece|esta (en la empresa|en la compania|con nosotros))|(ha dejado|dejo) (la empresa|la compania|nuestra empresa|de trabajar)|ha causado baja en',
  "non lavora piu|non (e|fa) piu (parte|dipendente|in (azienda|servizio|forza)|alle dipendenze)|ha lasciato (l'azienda|la societa|la nostra (azienda|societa)|il gruppo|l'organizzazione)|non collabora piu",
  `(is|zijn) ${ANY}(niet meer|niet langer) (werkzaam|in dienst|verbonden|bij ons)|werkt ${ANY}(niet meer|niet langer) (bij|voor|hier|binnen)|is ${ANY}uit dienst|heeft (de organisatie|onze organisatie|het bedrijf|ons bedrijf|ons) ${ANY}verlaten`,
  'nao trabalha mais|ja nao (trabalha|faz parte|pertence)|nao (faz|esta) mais (parte|na empresa|conosco)|(saiu|desligou-se) da (nossa )?(empresa|organizacao|companhia)|deixou (a empresa|a organizacao|de trabalhar)',
  `(jobbar|arbetar) inte langre|har ${ANY}(slutat|lamnat) (sin|pa|hos|foretaget|bolaget|oss)|ar ${ANY}inte langre (anstalld|kvar|verksam)`,
  '(arbejder|arbeider|jobber) ikke (længere|lenger)|er ikke (længere|lenger) (ansat|ansatt|hos|i (virksomheden|firmaet|selskapet|bedriften))|har (forladt|forlatt|sluttet i|sluttet hos) (virksomheden|firmaet|selskapet|bedriften|os|oss)',
  'juz nie pracuje|nie pracuje juz|nie jest juz (pracownikiem|zatrudnion[ya])|zakonczyla? (prace|wspolprace)|(odszedl|odeszla) z (firmy|naszej)',
  'uz (zde |tu |tady )?nepracuje|jiz (zde )?nepracuje|ei (ole|tyoskentele) enaa (toissa|yrityksessa|palveluksessa|taalla)|больше не работает|уволил(ся|ась)|artik \\S\\S* calismiyor|artik calismiyor',
)

/** Nobody reads this mailbox. */
export const UNREAD = either(
  "(mailbox|inbox|e-?mail|address|account) (is|are) (no longer|not) (being |currently |regularly |actively )?(monitored|in use|used|active|valid|checked|read|attended|maintained)|(unmonitored|unattended|deactivated|discontinued|inactive) (mailbox|inbox|e-?mail|address|account)|(mailbox|inbox|address|account) (is|has been|was) (now )?(unmonitored|unattended|inactive|deactivated|discontinued|closed|decommissioned|disabled)|(no longer|do not|don't|not) (use|check|read|monitor|using|checking|reading|monitoring) this (e-?mail|mailbox|address|account|inbox)",
  `(postfach|mailbox|adresse|e-?mail-?adresse|mailadresse|e-?mail-?konto|account) (wird|ist) ${ANY}nicht (mehr |langer |regelmasig )*(gelesen|uberwacht|betreut|abgerufen|genutzt|verwendet|aktiv|gultig|bearbeitet|eingesehen|in gebrauch)`,
  "(boite|adresse|messagerie|bal) (\\S\\S* )?(\\S\\S* )?n'est (plus|pas) (\\S\\S* )?(consultee|utilisee|active|lue|surveillee|relevee|suivie|valide)",
  '(buzon|cuenta|direccion|correo) (\\S\\S* )?(\\S\\S* )?(ya no|no) (esta (activ[oa]|en uso|operativ[oa]|monitoread[oa]|supervisad[oa]|atendid[oa])|se (lee|revisa|utiliza|usa|atiende|consulta|monitorea|supervisa))',
  `(casella|indirizzo|account|mail) ${ANY}non (e|viene) (piu )?(\\S\\S* )?(monitorat[oa]|attiv[oa]|utilizzat[oa]|lett[oa]|presidiat[oa]|controllat[oa]|consultat[oa]|in uso)`,
  '(mailbox|postvak|e-?mailadres|adres|mailadres|account) (is|wordt) (niet meer|niet langer|niet) (\\S\\S* )?(gelezen|gebruikt|actief|in gebruik|gemonitord|bekeken|beheerd)',
  '(caixa|conta|endereco|e-?mail|correio) (\\S\\S* )?(\\S\\S* )?(ja )?nao (e|esta|se encontra) (mais )?(\\S\\S* )?(monitorad[oa]|ativ[oa]|utilizad[oa]|lid[oa]|consultad[oa]|em uso|valid[oa])',
  '(brevlada|brevladan|mejladress|mejladressen|e-?postadress|e-?postadressen|adressen|inkorg|inkorgen|kontot) (ar|lases|anvands|bevakas|kontrolleras) (inte|ej)|(postkassen|postkassa|mailadressen|adressen|kontoen|indbakken|innboksen) (er|bliver|blir|leses|læses|bruges|brukes|overvages|overvakes) ikke',
  '(skrzynka|adres|konto) (\\S\\S* )?(\\S\\S* )?(nie jest (juz )?(monitorowan[aey]|obslugiwan[aey]|uzywan[aey]|sprawdzan[aey]|aktywn[aey])|jest (juz )?nieaktywn[aey])',
  'schranka (\\S\\S* )?(neni|se) (\\S\\S* )?(sledovana|pouzivana|nepouziva|aktivni)|ящик (\\S\\S* )?(не (используется|проверяется|читается)|больше не)',
)

/** If an automatic reply says this, somebody will answer. */
export const WILL_ANSWER = either(
  "(will|shall|'ll) (be )?(get back|reply|respond|answer|contact|in touch|reach|review|process|look)|as soon as possible|within \\S\\S* (hours|days|business)|(ticket|case|request|reference) (number|no|id|#)",
  'melden uns|so bald wie moglich|schnellstmoglich|in kurze|werden wir|wird sich|(ticket|vorgangs|anfrage)-?(nummer|nr)',
  'dans les (plus brefs|meilleurs) delais|reviendrons|repondrons|lo antes posible|a la (mayor )?brevedad|responderemos|il prima possibile|risponderemo|zo (spoedig|snel) mogelijk|nemen wij|o mais (breve|rapido) possivel|responderemos|sa snart som mojligt|aterkommer|snarest|vender tilbage|jak najszybciej|odpowiemy',
)
