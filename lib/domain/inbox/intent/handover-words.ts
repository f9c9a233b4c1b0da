// In the letters of intent-words.ts. These words count only together with a name, a colleague or an address.

const either = (...lines: string[]) => lines.join('|')

/** Says who decides or received the mail. */
export const DECIDES = either(
  '(best|right|correct|better) (person|contact|one)|your (man|woman|person|contact|guy)|(decides|handles|runs|leads|heads|oversees|manages|owns|coordinates)|looks after|takes care of|in charge|responsible|sits with|goes through|(one|something|a question|a matter) for|(better off|should be|best) (speaking|talking|asking|writing)|(you|you.d|you.ll) (want|need|better|should (talk|speak|ask|write))|took over|(my|his|her) (successor|replacement)|(passed|forwarded|handed|sent|shared|given) (this|it|that|your \\S\\S*)|looping in|copying|adding|take (this|it) up with|(is|are) the (new )?(head|director|manager|buyer)',
  '(kummert|kummern) sich|zustandig|verantwortlich|entscheidet|betreut|verantwortet|ansprechpartner(in)?|nachfolger(in)?|(weitergegeben|weitergeleitet|weitergereicht|ubergeben)|(macht|leitet|ubernimmt) (das|dies|bei uns)|(wenden|melden) sie sich (\\S\\S* )?(\\S\\S* )?(an|bei)|(sprechen|fragen|kontaktieren) sie',
  "(qui|elle|il) (\\S\\S* )?(decide|gere|pilote|traite)|s'(en )?occupe|(voyez|voir|parlez|echangez) (\\S\\S* )?avec|(transmets|transmis|transfere|transfere|fais suivre)|(en charge|responsable)|bon(ne)? (interlocuteur|interlocutrice|contact|personne)|(mon|ma) (successeur|remplacant|remplacante)|adressez-vous",
  '(lo|la|se|que|quien) (lo )?(lleva|decide|gestiona|encarga|ocupa)|(es quien|responsable|encargad[oa])|(habla|hable|hablad|escribe|escriba|contacta|contacte) (con|a)|(reenviado|pasado|remitido|paso con)|(se ne|si) occupa|(decide|gestisce|segue) (lui|lei|tutto|queste|questo)|(parli|parla|scriva|scrivi|contatti|senta|rivolga) (con|a|al|alla)?|(inoltrato|girato|passato)|(il|la) (responsabile|referente)|persona giusta',
  '(gaat|gaan) (\\S\\S* )?over|hierover|daarover|(loopt|gaat) via|(doet|regelt|beheert|beslist)|moet je bij|(doorgestuurd|doorgezet|overgedragen|doorgegeven)|verantwoordelijk|juiste (persoon|contactpersoon)|(trata|cuida|decide|gere) (disso|disto|destes?|desse|tudo)?|(encaminhei|reencaminhei|passei|encaminhado)|(responsavel|pessoa certa)|fale com|fala com',
  '(skoter|ansvarar|hanterar|bestammer|ansvarig)|hand om|ratt person|(skickat|vidarebefordrat|lamnat) (\\S\\S* )?(\\S\\S* )?(vidare|till)|prata med|(zajmuje sie|odpowiada|decyduje)|odpowiedzialn[ya]|(przekazalem|przekazalam|przeslalem|przeslalam)|(kontaktowac|skontaktowac) sie|wlasciwa osoba',
  'entscheidet|das (macht|entscheidet)|(voir|voyez) (ca|cela) avec|speak to|talk to|write to|please (contact|try)|buys|pida|pregunta',
  "(please |just )?ask|(he|she)('s| is) (the|our) (buyer|manager|director|head|lead|boss|owner)|they decide",
  '(direct|address|send|forward) (your|this|any|all) (\\S\\S* )?to|is who you (want|need)|fragen sie',
)

/** The writer decides or will ask, so there is no referral. */
export const MYSELF =
  "(i am|i'm) (the|in charge|responsible)|(i|we) (will|shall|need to|have to|must|should)|let me|(i'll|we'll|i'd|we'd)|ich bin|ich (werde|muss|frage)|je suis|je (dois|vais)|yo soy|soy|tengo que|sono|devo|ik ben|ik (moet|ga|zal)|sou|vou|tenho de|jag (ar|ska|maste)|jestem|musze"

export const OWN_ADDRESS = either(
  'my (new |private |other |personal |work |current )?(e-?mail|address|mail)|(mail|write|reach|contact|send) (it |this |them )?(to )?me|e-?mails? (from|with)|invoices?|orders?|support|rechnung(en)?|meine (neue |private |andere )?(adresse|mail|e-?mail)|mon (nouvelle |nouveau )?(adresse|mail|e-?mail)|ma nouvelle adresse|mi (nuevo )?(correo|direccion)|(il mio|la mia) (nuovo |nuova )?(indirizzo|mail|e-?mail)|mijn (nieuwe )?(adres|mail|e-?mail)|(o )?meu (novo )?(email|endereco)|min (nya )?(adress|mejl|mail)|moj (nowy )?(adres|mail)',
  'factures?|facturas?|fattur[ae]|facturen|faturas?|fakturor|faktur[ay]',
)

export const TITLE =
  'm|mr|mrs|ms|dr|herr|herrn|frau|mme|mlle|monsieur|madame|sr|sra|senor|senora|sig|signor|signora|dhr|mevr|mevrouw|meneer|pan|pani|pana|panu|panem'

/** A colleague, with or without a name. */
export const ROLE = either(
  '(my|our) (\\S\\S* )?(colleague|boss|manager|director|lead|head|buyer|team|department|procurement|purchasing|partner|wife|husband)|(mein|meine|meinen|meiner|meinem|unser|unsere|unseren|unserem|unserer) (\\S\\S* )?(kollege|kollegin|kollegen|chef|chefin|einkauf|geschaftsfuhrer|geschaftsfuhrung|abteilung)',
  '(mon|ma|notre) (collegue|directeur|directrice|responsable|chef|associee?|service)|(mi|nuestr[oa]) (companer[oa]|jefe|jefa|director|directora|socio|socia|departamento)|(il|la|mio|mia|nostr[oa]) (collega|capo|direttore|direttrice|socio|responsabile|ufficio)|(mijn|onze) (collega|baas|manager|directeur|afdeling)|(meu|minha|nosso|nossa) (colega|chefe|diretor|diretora|socio|socia)|(min|var) (kollega|chef|vd)|(moj|moja|nasz|nasza|moim|moja) (kolega|kolezanka|szef|szefowa|kierownik|dyrektor)',
)

/** Capitalized words that are not names. */
export const NO_NAME =
  'anfang ende mitte hi hello hey dear thanks thank hallo guten tag liebe lieber vielen dank bonjour hola buenos buenas ciao gentile caro cara ola bom boa hej czesc dzien the this that please sorry not no yes you your we our my it he she they i if in on at to for and but so bitte danke da die der das wir ich sie ihre ihr leider voor dit dat sales marketing team head it hr ceo cto cfo coo manager director mail email linkedin microsoft google teams zoom'
