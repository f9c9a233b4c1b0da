import { db, pool } from '#lib/db/client'
import { identifyRows } from '#lib/services/leads/people/identify'

/** People of the showcase, as a spreadsheet lists them; two lack something, as in every spreadsheet. */
const PEOPLE = [
  ['Amara Okafor', 'Brightwater Logistics', 'Head of Operations', 'Rotterdam'],
  ['Jonas Lindqvist', 'Nordhavn Marine', 'Managing Director', 'Gothenburg'],
  ['Mei-Ling Chen', 'Lumen Diagnostics', 'VP Sales', 'Singapore'],
  ['Rafael Moreno', 'Casa Verde Foods', 'Founder', 'Valencia'],
  ['Sophie Lambert', 'Atelier Nord', 'Chief Marketing Officer', 'Lyon'],
  ['Thomas Becker', 'Becker & Söhne Präzisionswerkzeuge', 'Geschäftsführer', 'Stuttgart'],
  ['Priya Raman', 'Fieldnote Analytics', 'Growth Lead', 'Bengaluru'],
  ['Oliver Hughes', 'Tern & Tide', 'Partner', 'Bristol'],
  ['Kasia Nowak', 'Polana Software', 'Head of People', 'Kraków'],
  ['Elena Petrova', 'Aster Robotics', 'Chief Executive', 'Sofia'],
  ['Daniel Osei', 'Kente Capital', 'Investment Manager', 'Accra'],
  ['Hannah Schwartz', 'Gable Property Group', 'Director', 'Chicago'],
  ['Yusuf Demir', 'Anatolia Textiles', 'Export Manager', 'Bursa'],
  ['Ingrid Solberg', 'Fjordkraft Advisory', 'Senior Consultant', 'Bergen'],
  ['Marco Bianchi', 'Officina Bianchi', '', 'Turin'],
  ['Chloe Martin', 'Small Batch Coffee Roasters of the Southern Peninsula', 'Owner', ''],
  ['Wei Zhang', 'Harbour Optics', 'Purchasing', 'Hong Kong'],
  ['Anna Virtanen', 'Kide Studio', 'Creative Director', 'Helsinki'],
  ['Peter Novák', 'Moravia Motors', 'Fleet Manager', 'Brno'],
  ['Lucía Fernández', 'Río Claro Wines', 'Sales Director', 'Mendoza'],
  ['George Papadopoulos', 'Aegean Freight', 'Operations', 'Piraeus'],
  ['Nadia Haddad', 'Cedar Health', 'Chief of Staff', 'Beirut'],
  ['Lars Jensen', 'Vindmark Energy', 'Head of Procurement', 'Esbjerg'],
  ['Fatima Zahra', 'Atlas Learning', 'Programme Lead', 'Rabat'],
] as const

const slug = (words: string) =>
  words
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')

export const LEADS = PEOPLE.map(([name, company, job_title, city]) => {
  const [first_name = '', ...rest] = name.split(' ')
  const email = `${slug(first_name)}@${slug(company).slice(0, 24).replace(/-$/, '')}.example`
  const cells = { email, first_name, last_name: rest.join(' '), company, job_title, city }
  return { ...cells, linkedin: `https://www.linkedin.com/in/${slug(name)}` }
})

/** Links the leads of a dataset to people; returns the ids of one who replied and of their company. */
export async function someContacts(workspace_id: string, dataset_id: string) {
  await identifyRows(pool(), { workspace_id, dataset_id, which: 'true', values: [] }, null)
  await db.$executeRaw`UPDATE campaign_leads l SET person_id = p.person_id FROM people p
    WHERE l.workspace_id = ${workspace_id}::uuid AND p.workspace_id = l.workspace_id AND p.email = l.email`
  const email = LEADS[1]?.email ?? ''
  const { person_id, company_id } = await db.person.findFirstOrThrow({ where: { workspace_id, email } })
  await db.person.update({ where: { person_id }, data: { tags: ['logistics', 'spring'] } })
  return { person: person_id, company: company_id ?? '' }
}
