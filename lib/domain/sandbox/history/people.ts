/** A made-up person at a company with a reserved domain (RFC 2606), where no mail can reach anybody. */
export type InventedPerson = {
  first_name: string
  last_name: string
  email: string
  company: string
  title: string
  city: string
  country: string
}

const FIRST_NAMES = [
  'Amelie',
  'Bruno',
  'Carmen',
  'Dario',
  'Elif',
  'Felix',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kasia',
  'Lars',
  'Mara',
  'Niels',
  'Olga',
  'Paulo',
  'Rosa',
  'Sven',
  'Teresa',
  'Viktor',
] as const
const LAST_NAMES = [
  'Albrecht',
  'Bakker',
  'Costa',
  'Dubois',
  'Engström',
  'Fischer',
  'Greco',
  'Hansen',
  'Ivanova',
  'Jansen',
  'Kowalska',
  'Lindgren',
  'Moreau',
  'Novák',
  'Okafor',
  'Petrov',
  'Quist',
  'Rossi',
  'Schmidt',
] as const
const COMPANIES: [
  readonly [name: string, city: string, country: string],
  ...(readonly [string, string, string])[],
] = [
  ['Halden Freight', 'Hamburg', 'Germany'],
  ['Casa Verde Foods', 'Valencia', 'Spain'],
  ['Norrland Timber', 'Umeå', 'Sweden'],
  ['Brightwell Clinics', 'Leeds', 'United Kingdom'],
  ['Atelier Moreau', 'Lyon', 'France'],
  ['Kite & Keel', 'Rotterdam', 'Netherlands'],
  ['Tatra Optics', 'Kraków', 'Poland'],
  ['Lumen Energy', 'Porto', 'Portugal'],
  ['Ostsee Logistik', 'Rostock', 'Germany'],
  ['Pavia Machines', 'Milan', 'Italy'],
  ['Fjord Seafood', 'Bergen', 'Norway'],
  ['Alder Insurance', 'Dublin', 'Ireland'],
  ['Vienna Paper Works', 'Vienna', 'Austria'],
]
const TITLES = [
  'Head of Operations',
  'Managing Director',
  'Procurement Lead',
  'Founder',
  'Operations Manager',
] as const

/** The lists' lengths share no divisor, so that combinations of names, companies and titles repeat only after a long while. */
const pick = <T>(list: readonly [T, ...T[]], at: number): T => list[at % list.length] ?? list[0]

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .trim()
    .toLowerCase()
    .replace(/ +/g, '-')

/** The person at this position: the same each time, without a repeated address among the first thousand. */
export function inventPerson(place: number): InventedPerson {
  const first_name = pick(FIRST_NAMES, place)
  const last_name = pick(LAST_NAMES, place)
  const [company, city, country] = pick(COMPANIES, place)
  return {
    first_name,
    last_name,
    email: `${plain(first_name)}.${plain(last_name)}@${plain(company)}.example`,
    company,
    title: pick(TITLES, Math.floor(place / 3)),
    city,
    country,
  }
}
