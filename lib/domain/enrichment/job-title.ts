export const SENIORITIES = [
  'owner',
  'c_level',
  'vp',
  'director',
  'head',
  'manager',
  'senior',
  'specialist',
  'junior',
  'intern',
] as const
export type Seniority = (typeof SENIORITIES)[number]

export const DEPARTMENTS = [
  'executive',
  'sales',
  'marketing',
  'engineering',
  'product',
  'design',
  'data',
  'it',
  'finance',
  'legal',
  'human_resources',
  'operations',
  'customer_success',
  'procurement',
  'research',
  'education',
  'medical',
] as const
export type Department = (typeof DEPARTMENTS)[number]

export type JobTitle = { seniority: Seniority | null; department: Department | null }

/** The first match counts, so more specific ones come first. */
const SENIORITY: [Seniority, RegExp][] = [
  [
    'intern',
    /\b(intern|trainee|praktikant\w*|werkstudent\w*|working student|apprentice|azubi|stagiaire|becari[oa])\b/,
  ],
  [
    'junior',
    /\b(junior|jr|entry[- ]level|graduate|assistant)\b(?!.*\b(vice president|director|professor)\b)/,
  ],
  [
    'owner',
    /\b(owner|(co-?)?founder|founding partner|inhaber(in)?|gründer(in)?|proprietor|fondat(eur|rice)|fundador[a]?|eigenaar|titolare)\b/,
  ],
  ['vp', /\b(vice[- ]president|s?e?vp|avp|vp)\b/],
  [
    'c_level',
    /\bc[efmtoispdr]o\b|\bc[a-z]{1,2}o\b(?=$|[ ,/&-])|\bchief\b.*\bofficer\b|\bchief (of staff|architect|economist|scientist)\b|\b(president|managing director|geschäftsführer(in)?|vorstand\w*|general manager|directeur général|pdg|director general|amministratore delegato|chairman|chairwoman|chairperson)\b/,
  ],
  [
    'head',
    /\b(head|leiter(in)?|\w+leiter(in)?|leitung|responsable|abteilungsleiter(in)?|chef(fe)? de service)\b/,
  ],
  [
    'director',
    /\b(director|directeur|directrice|director[a]|direktor(in)?|direttore|direttrice|diretor[a]?|partner|principal)\b/,
  ],
  [
    'manager',
    /\b(manager|managerin|supervisor|lead|team ?lead|teamleiter(in)?|gerente|coordinator|jefe|jefa|kierownik)\b/,
  ],
  ['senior', /\b(senior|sr|staff|expert)\b/],
  [
    'specialist',
    /\b(specialist|analyst|engineer|developer|consultant|designer|accountant|representative|executive|associate|advisor|scientist|researcher|recruiter|entwickler(in)?|berater(in)?|ingenieur(in)?|sachbearbeiter(in)?|professor|teacher|nurse|architect|editor|writer)\b/,
  ],
]

const DEPARTMENT: [Department, RegExp][] = [
  [
    'customer_success',
    /\b(customer (success|support|service|care|experience)|kundenservice|kundenbetreu\w*|client success|service client|atención al cliente|support (agent|engineer|specialist|manager))\b/,
  ],
  [
    'human_resources',
    /\b(hr|human resources|people|talent|recruit\w*|personal(leiter|abteilung|referent)\w*|recursos humanos|ressources humaines|rrhh|chro|cpo people)\b/,
  ],
  [
    'marketing',
    /\b(marketing|cmo|brand|growth|seo|content|communications?|pr|public relations|demand gen\w*|social media|kommunikation)\b/,
  ],
  [
    'sales',
    /\b(sales|account executive|account manager|business development|bdr|sdr|cro|chief revenue officer|revenue|vertrieb\w*|commercial|ventas|vendite|vendas|key account\w*)\b/,
  ],
  ['data', /\b(data|analytics|machine learning|ml|ai|business intelligence|bi|statistic\w*)\b/],
  ['product', /\b(product|produktmanage\w*|chief product officer|produit|producto)\b/],
  ['design', /\b(design\w*|ux|ui|creative|art director)\b/],
  [
    'engineering',
    /\b(engineer\w*|developer|software|cto|chief technology officer|devops|sre|architect|entwickl\w*|programmer|r&d|qa|technical|technology)\b/,
  ],
  [
    'it',
    /\b(it|cio|chief information officer|ciso|information (technology|security)|systems? administrator|sysadmin|network|cyber ?security|infrastructure)\b/,
  ],
  [
    'finance',
    /\b(finance|financial|cfo|account(ant|ing)|controller|controlling|treasur\w*|audit\w*|tax|buchhalt\w*|finanz\w*|comptab\w*|finanzas)\b/,
  ],
  [
    'legal',
    /\b(legal|counsel|lawyer|attorney|compliance|rechtsanwalt|rechtsanwältin|jurist\w*|avocat\w*|abogad[oa])\b/,
  ],
  ['procurement', /\b(procurement|purchasing|buyer|sourcing|einkauf\w*|einkäufer(in)?|achats|compras)\b/],
  [
    'operations',
    /\b(operations?|coo|logistics?|supply chain|production|manufacturing|plant|facility|facilities|office manager|project manager|projektleiter(in)?|logistik|operaciones)\b/,
  ],
  ['research', /\b(research\w*|scientist|lab|forschung\w*)\b/],
  ['education', /\b(teacher|professor|lecturer|principal|dean|school|university|lehrer(in)?|dozent(in)?)\b/],
  [
    'medical',
    /\b(doctor|physician|nurse|surgeon|medical|clinical|dentist|pharmac\w*|therapist|arzt|ärztin)\b/,
  ],
  [
    'executive',
    /\b(ceo|chief executive officer|president|managing director|owner|(co-?)?founder|geschäftsführer(in)?|inhaber(in)?|gründer(in)?|general manager|pdg|chairman|chairwoman|board|vorstand\w*)\b/,
  ],
]

/** Accented letters count as letters: JavaScript's `\b` knows only ASCII, so word ends are matched explicitly. */
const bounded = (pattern: RegExp) =>
  new RegExp(
    pattern.source
      .replaceAll('\\b', '(?:(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}])|(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}]))')
      .replaceAll('\\w', '[\\p{L}\\p{N}]'),
    'u',
  )

const SENIORITY_RULES = SENIORITY.map(([name, pattern]) => [name, bounded(pattern)] as const)
const DEPARTMENT_RULES = DEPARTMENT.map(([name, pattern]) => [name, bounded(pattern)] as const)

const MAX_CHARS = 200

/** The seniority and department in a job title, in English and the large European languages; null if it shows neither. */
export function readJobTitle(title: string): JobTitle {
  const text = title.slice(0, MAX_CHARS).toLowerCase().replace(/[._]/g, '').replace(/\s+/g, ' ')
  const of = <T>(rules: readonly (readonly [T, RegExp])[]) =>
    rules.find(([, rule]) => rule.test(text))?.[0] ?? null
  return { seniority: of(SENIORITY_RULES), department: of(DEPARTMENT_RULES) }
}
